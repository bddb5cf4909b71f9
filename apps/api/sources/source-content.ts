import { Inject } from '@nestjs/common';
import { Query, type IQueryHandler } from '@nestjs/cqrs';

import { FootnoteError, isFootnoteError } from '#contracts';
import type { SourceContent, SourceContentQuery } from '#contracts/http/index';
import { SEARCH_INDEX, type IndexedChunk, type LiveSource, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { validationFailed } from '../edge/strict-validation.pipe.js';
import { READ_MODEL, type ApiReadModel } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { ContentGaps } from './content-gaps.js';
import { LiveSources } from './live-sources.js';
import { indexedLines } from './indexed-lines.js';

/** Most lines in one answer. */
export const MAX_CONTENT_LINES = 2_000;

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
    private readonly contentGaps: ContentGaps,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, sourceId, wanted }: GetSourceContent): Promise<SourceContent> {
    const id = requireId('source_not_found', sourceId);
    const { first, last } = rangeOf(wanted);
    const live = this.liveSources.liveSource(caller.tenantId, id);
    if (!live) {
      const registered = await this.readModel.getSource(caller.tenantId, id);
      if (!registered) throw notFound('source_not_found', sourceId);
      throw new FootnoteError('content_not_found', 'This source has not been synced yet');
    }
    const chunks = await this.document(live, wanted.path);
    const [head] = chunks;
    if (!head) throw new FootnoteError('content_not_found', 'The live version of this source has no such path');
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

  /** @throws FootnoteError `content_missing` where the index cannot load the generation for want of its content. */
  private async document(live: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    try {
      return await this.index.document(live, path);
    } catch (error) {
      if (!isFootnoteError(error, 'engine_unavailable')) throw error;
      await this.contentGaps.refreshUnlessFresh();
      const gap = this.contentGaps.of(live);
      if (!gap) throw error;
      throw new FootnoteError('content_missing', gap.message, { cause: error });
    }
  }
}

/** The lines asked for, 1-based and inclusive. @throws FootnoteError for a range that is reversed or too long. */
function rangeOf({ start_line = 1, end_line }: SourceContentQuery): { first: number; last: number } {
  const last = end_line ?? start_line + MAX_CONTENT_LINES - 1;
  if (last < start_line) throw validationFailed([{ field: 'end_line', message: 'must not be less than start_line' }]);
  if (last - start_line >= MAX_CONTENT_LINES) {
    throw validationFailed([{ field: 'end_line', message: `must be within ${MAX_CONTENT_LINES} lines of start_line` }]);
  }
  return { first: start_line, last };
}
