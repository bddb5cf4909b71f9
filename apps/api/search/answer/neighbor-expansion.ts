import { Inject, Injectable } from '@nestjs/common';

import type { SearchResult } from '#contracts';
import {
  chooseNeighbors,
  mergePassages,
  piecesOfLines,
  type LineRange,
  type LinePassage,
  type Piece,
} from '#retrieval';
import { SEARCH_INDEX, type IndexedChunk, type SearchIndex } from '#search-index';

import type { MultiHopRequest } from './search-request.js';
import type { SearchRun } from './search-run.js';
import type { ScopedSource } from './search-scope.js';
import { tokenCounter } from './within-budget.js';

/** Part of the token budget that one passage may grow to, so that an answer shows more than one place. */
const PASSAGE_SHARE = 1 / 4;

/** A result with the chunks that it was made of. */
export interface ExpandedResult {
  readonly result: SearchResult;
  /** In the document's order. */
  readonly parts: readonly (Omit<LineRange, 'chunkId'> & { readonly isNeighbor: boolean })[];
}

type LinedChunk = IndexedChunk & LineRange;

interface DocumentPiece extends Piece {
  readonly result: SearchResult;
  readonly isNeighbor: boolean;
}

/** Adds to hits what stands beside them in their files, and joins what overlaps or touches. */
@Injectable()
export class NeighborExpansion {
  constructor(@Inject(SEARCH_INDEX) private readonly index: SearchIndex) {}

  /**
   * @param hits results of the search, one chunk each
   * @param scoreOf what the search gave to a chunk by itself; a neighbour keeps it where it is better
   * @returns hits and neighbours, best first
   */
  async expand(
    hits: readonly SearchResult[],
    scoreOf: ReadonlyMap<string, number>,
    run: SearchRun<MultiHopRequest>,
  ): Promise<ExpandedResult[]> {
    const expanded: ExpandedResult[] = [];
    const byFile = Map.groupBy(hits, ({ citation }) => `${citation.source_id}\n${citation.path}`);
    // One document in memory at a time.
    for (const ofFile of byFile.values()) expanded.push(...(await this.expandFile(ofFile, scoreOf, run)));
    return expanded.sort((a, b) => b.result.score - a.result.score);
  }

  private async expandFile(
    hits: readonly SearchResult[],
    scoreOf: ReadonlyMap<string, number>,
    { request, scope }: SearchRun<MultiHopRequest>,
  ): Promise<ExpandedResult[]> {
    const lined = hits.flatMap((hit) => hitPiece(hit) ?? []);
    const alone = hits.filter((hit) => hitPiece(hit) === undefined).map((result) => ({ result, parts: [] }));
    const [first] = lined;
    const scoped = first && scope.eligible.get(first.result.citation.source_id);
    if (!first || !scoped) return alone;
    const document = (await this.index.document(scoped.source, first.result.citation.path)).filter(isLined);
    const neighbors = chooseNeighbors(document, lined, request.neighbor_line_radius).map(({ chunk, score }) =>
      neighborPiece(chunk, Math.max(score, scoreOf.get(chunk.chunkId) ?? 0), scoped),
    );
    const partial = piecesOfLines(document);
    const passages = mergePassages([...lined, ...neighbors], {
      maxTokens: Math.floor(request.max_tokens * PASSAGE_SHARE),
      isWhole: ({ chunkId }) => !partial.has(chunkId),
    });
    return [...alone, ...(await Promise.all(passages.map(expandedResult)))];
  }
}

function isLined(chunk: IndexedChunk): chunk is LinedChunk {
  return chunk.startLine !== undefined && chunk.endLine !== undefined;
}

function hitPiece(result: SearchResult): DocumentPiece | undefined {
  const { chunk_id: chunkId, start_line: startLine, end_line: endLine } = result.citation;
  if (startLine === undefined || endLine === undefined) return undefined;
  const { content, score, token_count: tokenCount } = result;
  return { chunkId, startLine, endLine, content, score, tokenCount, result, isNeighbor: false };
}

function neighborPiece(chunk: LinedChunk, score: number, scoped: ScopedSource): DocumentPiece {
  const { chunkId, sourceId, path, symbol, startLine, endLine, content, tokenCount, language, chunkType } = chunk;
  const result: SearchResult = {
    content,
    score,
    token_count: tokenCount,
    citation: {
      chunk_id: chunkId,
      source_id: sourceId,
      source_name: scoped.source.name,
      path,
      ...(symbol === undefined ? {} : { symbol }),
      start_line: startLine,
      end_line: endLine,
      version_ref: scoped.source.versionRef,
      language,
      chunk_type: chunkType,
    },
    freshness_days: scoped.freshnessDays,
    is_stale: scoped.isStale,
  };
  return { chunkId, startLine, endLine, content, score, tokenCount, result, isNeighbor: true };
}

async function expandedResult(passage: LinePassage<DocumentPiece>): Promise<ExpandedResult> {
  const { best, pieces, startLine, endLine, content } = passage;
  const parts = pieces.map((piece) => ({
    startLine: piece.startLine,
    endLine: piece.endLine,
    isNeighbor: piece.isNeighbor,
  }));
  if (pieces.length === 1) return { result: best.result, parts };
  const count = await tokenCounter();
  const citation = { ...best.result.citation, start_line: startLine, end_line: endLine };
  return { result: { ...best.result, content, token_count: count(content), citation }, parts };
}
