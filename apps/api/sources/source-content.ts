import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { FootnoteError, validationFailed } from '#contracts';
import type { SourceContent, SourceContentQuery } from '#contracts/http/index';
import { getSource } from '#read-model';
import { allOf, ownersOf, visibleSource } from '#search';
import { type IndexedChunk, type LiveSource, SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { KnownLinks } from '../package-links/known-links.js';
import { Handles } from '../use-cases/handles.js';
import { ContentGaps } from './content-gaps.js';
import { indexedLines } from './indexed-lines.js';
import { LiveSources } from './live-sources.js';
import { readIndexedDocument } from './read-indexed-document.js';

/** Most lines in one answer. */
const MAX_CONTENT_LINES = 2_000;

/** The lines around a citation, as indexed. */
export class GetSourceContent extends Query<SourceContent> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly wanted: SourceContentQuery,
  ) {
    super();
  }
}

@Handles(GetSourceContent)
export class GetSourceContentHandler implements IQueryHandler<GetSourceContent> {
  constructor(
    private readonly liveSources: LiveSources,
    private readonly links: KnownLinks,
    private readonly contentGaps: ContentGaps,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, sourceId, wanted }: GetSourceContent): Promise<SourceContent> {
    const id = requireId('source_not_found', sourceId);
    const asked = rangeOf(wanted);
    const links = this.links.of(caller.tenantId);
    const live = visibleSource(
      this.liveSources,
      { tenantId: caller.tenantId, links },
      id,
      allOf(links),
    );
    if (!live) {
      const registered = await this.readModel.ask(getSource, caller.tenantId, id);
      if (!registered) throw notFound('source_not_found', sourceId);
      throw new FootnoteError('content_not_found', 'This source has not been synced yet');
    }
    const { chunks, passage } = await this.cited(caller, live, wanted);
    const [head] = chunks;
    if (!head)
      throw new FootnoteError(
        'content_not_found',
        'Path not found in the live version of this source',
      );
    const isWhole = wanted.start_line === undefined && wanted.end_line === undefined;
    const { first, last } = (isWhole ? passage : undefined) ?? asked;
    const lines = indexedLines(chunks);
    if (first > lines.length) {
      throw new FootnoteError('content_not_found', `The document ends at line ${lines.length}`);
    }
    const end = Math.min(last, lines.length);
    return {
      source_id: id,
      path: wanted.path,
      version_ref: live.versionRef,
      language: head.language,
      start_line: first,
      end_line: end,
      total_lines: lines.length,
      content: lines.slice(first - 1, end).join('\n'),
    };
  }

  /**
   * The document that a citation names and, where it names a place in it, the lines of that
   * passage. A path may have a `#` of its own, so that the whole of it is looked up first.
   */
  private async cited(
    caller: Caller,
    live: LiveSource,
    { path, symbol }: SourceContentQuery,
  ): Promise<CitedDocument> {
    const part =
      symbol === undefined ? undefined : await this.partOfSpec(caller, live, path, symbol);
    if (part !== undefined) return { chunks: await this.document(live, part) };
    let end = path.length;
    for (
      let tries = 0;
      end > 0 && tries < MAX_FRAGMENT_TRIES;
      tries++, end = path.lastIndexOf('#', end - 1)
    ) {
      const chunks = await this.document(live, path.slice(0, end));
      if (chunks.length === 0) continue;
      if (end === path.length) {
        if (symbol !== undefined && chunks[0]?.language === 'openapi') break;
        return { chunks };
      }
      const passage = passageLines(chunks, path.slice(end));
      if (passage) return { chunks, passage };
    }
    return { chunks: [] };
  }

  /**
   * The document of an operation or schema; undefined where the path is no specification, or has no
   * such part.
   */
  private async partOfSpec(
    caller: Caller,
    live: LiveSource,
    path: string,
    symbol: string,
  ): Promise<string | undefined> {
    const { candidates } = await this.index.candidates({
      tenants: ownersOf(allOf(this.links.of(caller.tenantId)), caller.tenantId),
      scope: [live],
      corpus: [live],
      terms: [],
      vectorFor: () => Promise.resolve(null),
      identifiers: [symbol],
      limit: MAX_NAMESAKES,
    });
    const parts = candidates.filter(
      (one) => one.symbol === symbol && one.path.startsWith(`${path}#`),
    );
    return parts.map((one) => one.path).sort()[0];
  }

  private document(live: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    return readIndexedDocument(this.index, this.contentGaps, live, path);
  }
}

/** Parts of one name that are looked through for the one that is cited. */
const MAX_NAMESAKES = 50;

interface CitedDocument {
  readonly chunks: readonly IndexedChunk[];
  /** Lines of the indexed document; absent if the citation names the whole document. */
  readonly passage?: LineRange;
}

/** 1-based and inclusive. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Number of `#` in a path that may start a fragment, tried from the last one. */
const MAX_FRAGMENT_TRIES = 5;

/** The lines of the chunks that have a fragment, from the first of them to the last. */
function passageLines(chunks: readonly IndexedChunk[], fragment: string): LineRange | undefined {
  const begin = chunks.findIndex((chunk) => chunk.fragment === fragment);
  if (begin === -1) return undefined;
  const end = chunks.findLastIndex((chunk) => chunk.fragment === fragment) + 1;
  // The blank line between two chunks belongs to neither.
  const first = begin === 0 ? 1 : indexedLines(chunks.slice(0, begin)).length + 2;
  return {
    first,
    last: Math.min(indexedLines(chunks.slice(0, end)).length, first + MAX_CONTENT_LINES - 1),
  };
}

/** The lines asked for. @throws FootnoteError for a range that is reversed or too long. */
function rangeOf({ start_line = 1, end_line }: SourceContentQuery): LineRange {
  const last = end_line ?? start_line + MAX_CONTENT_LINES - 1;
  if (last < start_line)
    throw validationFailed([{ field: 'end_line', message: 'must not be less than start_line' }]);
  if (last - start_line >= MAX_CONTENT_LINES) {
    throw validationFailed([
      { field: 'end_line', message: `must be within ${MAX_CONTENT_LINES} lines of start_line` },
    ]);
  }
  return { first: start_line, last };
}
