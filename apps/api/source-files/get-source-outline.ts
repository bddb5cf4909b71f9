import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { type ChunkDefinition, parentOf } from '#contracts';
import type {
  OutlineEntryView,
  SourceOutlineQuery,
  SourceOutlineView,
} from '#contracts/http/index';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { KeptGenerations } from '../sources/kept-generations.js';
import { readIndexed } from '../sources/read-indexed-document.js';
import { Handles } from '../use-cases/handles.js';
import { findIndexedFile } from './indexed-file.js';

/** Lists the definitions of a file of a kept version of a source. Costs no quota. */
export class GetSourceOutline extends Query<SourceOutlineView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: SourceOutlineQuery,
  ) {
    super();
  }
}

@Handles(GetSourceOutline)
export class GetSourceOutlineHandler implements IQueryHandler<GetSourceOutline> {
  constructor(
    private readonly generations: KeptGenerations,
    private readonly contentGaps: ContentGaps,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
  ) {}

  /**
   * @throws FootnoteError `source_not_found`, `content_not_found`, `generation_dropped`,
   * `content_missing`, `engine_unavailable` or `validation_failed`.
   */
  async execute({ caller, sourceId, query }: GetSourceOutline): Promise<SourceOutlineView> {
    const file = await findIndexedFile(this.generations, caller, sourceId, query);
    const { generation, place } = file;
    const { path } = file.document;
    const { definitions, unplaced } = await readIndexed(this.contentGaps, place, () =>
      this.index.outline(place, path),
    );
    return {
      source_id: generation.source_id,
      generation: generation.generation,
      version_ref: generation.version_ref,
      path,
      total: definitions.length,
      definitions: definitions.slice(query.skip, query.skip + query.limit).map(outlineEntry),
      unplaced_names: unplaced,
      warnings: definitions.some(({ place }) => place === undefined) ? [OLD_VERSION] : [],
    };
  }
}

const OLD_VERSION =
  'An earlier version indexed this file; the next sync adds kinds, columns and last lines';

function outlineEntry(definition: ChunkDefinition): OutlineEntryView {
  const { name, symbol, start_line, end_line, place } = definition;
  return {
    name,
    symbol,
    parent: parentOf(definition),
    start_line,
    end_line: place?.last_line ?? end_line,
    kind: place?.kind ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
  };
}
