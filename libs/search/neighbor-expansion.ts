import { MOST_RESULTS, type SearchResult } from '#contracts';
import {
  chooseNeighbors,
  type LinePassage,
  type LineRange,
  mergePassages,
  type Piece,
  piecesOfLines,
} from '#retrieval';
import type { IndexedChunk, SearchIndex } from '#search-index';

import type { MultiHopRequest } from './search-request.js';
import type { SearchRun } from './search-run.js';
import type { ScopedSource } from './search-scope.js';
import { tokenCounter } from './within-budget.js';

/**
 * Part of the token budget that one passage may grow to, so that an answer shows more than one
 * place.
 */
const PASSAGE_SHARE = 1 / 4;
/** Tokens of the line end that joins a chunk to another. */
const LINE_END = 1;

/** A result with the chunks that it was made of. */
export interface ExpandedResult {
  readonly result: SearchResult;
  /** In the document's order. */
  readonly parts: readonly { readonly isNeighbor: boolean }[];
}

type LinedChunk = IndexedChunk & LineRange;

interface DocumentPiece extends Piece {
  readonly result: SearchResult;
  readonly isNeighbor: boolean;
}

/**
 * A candidate next to a hit that may be shown with it. It is another chunk, or the hit's whole
 * chunk where only a part of it is shown.
 */
interface Extra {
  readonly piece: DocumentPiece;
  /** Tokens that it adds to the answer. */
  readonly cost: number;
  /** The hit that it belongs to, and its distance from it. */
  readonly rank: number;
  readonly distance: number;
}

/** A file that has hits, and what is next to them. */
interface HitFile {
  readonly hits: readonly DocumentPiece[];
  /** Hits without lines, which have no neighbors. */
  readonly alone: readonly ExpandedResult[];
  readonly extras: readonly Extra[];
  /** Chunks that lack a part of their lines. */
  readonly partial: ReadonlySet<string>;
}

/** Adds to hits what is next to them in their files, and joins what overlaps or touches. */
export class NeighborExpansion {
  constructor(private readonly index: SearchIndex) {}

  /**
   * Expands hits; every hit stays. Neighbors take the tokens that the hits leave, those of the best
   * hit first, the nearest first. A chunk within the radius is left out only where it does not fit
   * when its turn comes.
   *
   * @param hits results of the search, best first, one chunk each; together within the token budget
   * @param scoreOf the search's own score of a chunk; a neighbor has it where it is better
   * @returns at most {@link MOST_RESULTS} hits and neighbors by score, best first; together within
   * the token budget
   */
  async expand(
    hits: readonly SearchResult[],
    scoreOf: ReadonlyMap<string, number>,
    run: SearchRun<MultiHopRequest>,
  ): Promise<ExpandedResult[]> {
    const { max_tokens: maxTokens } = run.request;
    const ranks = new Map(hits.map(({ citation }, rank) => [citation.chunk_id, rank]));
    const files: HitFile[] = [];
    const byFile = Map.groupBy(hits, ({ citation }) => `${citation.source_id}\n${citation.path}`);
    // One document in memory at a time; only the chunks near a hit remain of each.
    for (const ofFile of byFile.values())
      files.push(await this.hitFile(ofFile, ranks, scoreOf, run));
    const extras = files
      .flatMap((file) => file.extras)
      .sort(
        (a, b) =>
          a.rank - b.rank || a.distance - b.distance || a.piece.startLine - b.piece.startLine,
      );
    const chosen = thatFit(extras, maxTokens - tokensOf(hits));
    // Joined text may have a token more than its parts.
    for (; chosen.length > 0; chosen.pop()) {
      const expanded = await joined(files, chosen, maxTokens);
      if (tokensOf(expanded.map(({ result }) => result)) <= maxTokens) return expanded;
    }
    const expanded = await joined(files, [], maxTokens);
    if (tokensOf(expanded.map(({ result }) => result)) <= maxTokens) return expanded;
    return hits.map((result) => ({ result, parts: [{ isNeighbor: false }] }));
  }

  private async hitFile(
    results: readonly SearchResult[],
    ranks: ReadonlyMap<string, number>,
    scoreOf: ReadonlyMap<string, number>,
    { request, scope, signal }: SearchRun<MultiHopRequest>,
  ): Promise<HitFile> {
    signal?.throwIfAborted();
    const hits = results.flatMap((result) => hitPiece(result) ?? []);
    const alone = results
      .filter((result) => hitPiece(result) === undefined)
      .map((result) => ({ result, parts: [] }));
    const [first] = hits;
    const scoped = first && scope.eligible.get(first.result.citation.source_id);
    if (!first || !scoped) return { hits, alone, extras: [], partial: new Set() };
    const document = (await this.index.document(scoped.source, first.result.citation.path)).filter(
      isLined,
    );
    const ranked = hits.map((hit) => ({ ...hit, rank: ranks.get(hit.chunkId) ?? 0 }));
    const radius = request.neighbor_line_radius;
    const beside = chooseNeighbors(document, ranked, radius).map(
      ({ chunk, score, rank, distance }): Extra => {
        const piece = neighborPiece(
          chunk,
          Math.max(score, scoreOf.get(chunk.chunkId) ?? 0),
          scoped,
        );
        return { piece, cost: chunk.tokenCount + LINE_END, rank, distance };
      },
    );
    const whole = radius > 0 ? ranked.flatMap((hit) => wholeChunk(hit, document) ?? []) : [];
    return { hits, alone, extras: [...whole, ...beside], partial: piecesOfLines(document) };
  }
}

/** All of the hit's chunk, where the hit is a part of it: nearer than any other. */
function wholeChunk(
  hit: DocumentPiece & { readonly rank: number },
  document: readonly LinedChunk[],
): Extra | undefined {
  const chunk = document.find(({ chunkId }) => chunkId === hit.chunkId);
  if (!chunk || (chunk.startLine === hit.startLine && chunk.endLine === hit.endLine))
    return undefined;
  const { startLine, endLine, content, tokenCount } = chunk;
  const citation = { ...hit.result.citation, start_line: startLine, end_line: endLine };
  const result = { ...hit.result, content, token_count: tokenCount, citation };
  const piece = { ...hit, startLine, endLine, content, tokenCount, result };
  return { piece, cost: tokenCount - hit.tokenCount, rank: hit.rank, distance: 0 };
}

/** The extras that fit into what is left, in their order. */
function thatFit(extras: readonly Extra[], tokens: number): DocumentPiece[] {
  let left = tokens;
  return extras.flatMap(({ piece, cost }) => {
    if (cost > left) return [];
    left -= cost;
    return [piece];
  });
}

/** Hits with the chosen extras, joined file by file. */
async function joined(
  files: readonly HitFile[],
  chosen: readonly DocumentPiece[],
  maxTokens: number,
): Promise<ExpandedResult[]> {
  const taken = new Set(chosen);
  const expanded: ExpandedResult[] = [];
  for (const { hits, alone, extras, partial } of files) {
    const beside = extras.flatMap(({ piece }) => (taken.has(piece) ? [piece] : []));
    const replaced = new Set(beside.map(({ chunkId }) => chunkId));
    const passages = mergePassages(
      [...hits.filter(({ chunkId }) => !replaced.has(chunkId)), ...beside],
      {
        maxTokens: Math.floor(maxTokens * PASSAGE_SHARE),
        isWhole: ({ chunkId }) => !partial.has(chunkId),
      },
    );
    expanded.push(...alone, ...(await Promise.all(passages.map(expandedResult))));
  }
  return withinCount(expanded.sort((a, b) => b.result.score - a.result.score));
}

/**
 * Leaves out what is next to the hits where an answer would have too many results, the last
 * first. Every hit stays.
 */
function withinCount(expanded: readonly ExpandedResult[]): ExpandedResult[] {
  let surplus = expanded.length - MOST_RESULTS;
  if (surplus <= 0) return [...expanded];
  const kept = expanded.toReversed().filter(({ parts }) => {
    const isBeside = parts.length > 0 && parts.every(({ isNeighbor }) => isNeighbor);
    return !isBeside || (surplus -= 1) < 0;
  });
  return kept.toReversed();
}

function tokensOf(results: readonly SearchResult[]): number {
  return results.reduce((sum, { token_count }) => sum + token_count, 0);
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
  const {
    chunkId,
    sourceId,
    path,
    symbol,
    startLine,
    endLine,
    content,
    tokenCount,
    language,
    chunkType,
  } = chunk;
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
  const parts = pieces.map(({ isNeighbor }) => ({ isNeighbor }));
  if (pieces.length === 1) return { result: best.result, parts };
  const count = await tokenCounter();
  const citation = { ...best.result.citation, start_line: startLine, end_line: endLine };
  return { result: { ...best.result, content, token_count: count(content), citation }, parts };
}
