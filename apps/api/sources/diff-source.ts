import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { FootnoteError } from '#contracts';
import type { FileDiffView, SourceDiffQuery, SourceDiffView } from '#contracts/http/index';
import { mapBounded } from '#platform';
import { type GenerationView, getSource } from '#read-model';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { type DifferentFile, differentFiles } from './diff/file-diff.js';
import { differentSymbols } from './diff/symbol-diff.js';
import { KeptGenerations, placeOf } from './kept-generations.js';
import { LiveSources } from './live-sources.js';

/** Most symbols of one file in an answer. */
const MOST_SYMBOLS = 200;
/** Time for reading the documents of a page, milliseconds. */
const WITHIN_MS = 30_000;
/** Documents that are read from the index at once. */
const READS = 8;

/** Returns the files and symbols that differ between two kept generations of a source. */
export class DiffSource extends Query<SourceDiffView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: SourceDiffQuery,
  ) {
    super();
  }
}

@Handles(DiffSource)
export class DiffSourceHandler implements IQueryHandler<DiffSource> {
  constructor(
    private readonly liveSources: LiveSources,
    private readonly generations: KeptGenerations,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
  ) {}

  /** @throws FootnoteError `source_not_found`, `generation_dropped` or `content_missing`. */
  async execute({ caller, sourceId, query }: DiffSource): Promise<SourceDiffView> {
    const { tenantId } = caller;
    const id = requireId('source_not_found', sourceId);
    if (!(await this.readModel.ask(getSource, tenantId, id)))
      throw notFound('source_not_found', sourceId);
    const to = query.to ?? this.liveSources.one(tenantId, id)?.generation;
    if (to === undefined)
      throw new FootnoteError('content_not_found', 'This source has not been synced yet');
    const before = await this.generations.kept(tenantId, id, 'from', query.from);
    const after = await this.generations.kept(tenantId, id, 'to', to);
    const files = await differentFiles(
      await this.generations.documents(before),
      await this.generations.documents(after),
    );
    const count = (change: DifferentFile['change']) =>
      files.filter((file) => file.change === change).length;
    const page = files.slice(query.skip, query.skip + query.limit);
    const signal = AbortSignal.timeout(WITHIN_MS);
    return {
      from: query.from,
      to,
      added: count('added'),
      changed: count('changed'),
      removed: count('removed'),
      files: await mapBounded(page, READS, signal, (file) => this.fileView(file, before, after)),
    };
  }

  private async fileView(
    { path, change }: DifferentFile,
    before: GenerationView,
    after: GenerationView,
  ): Promise<FileDiffView> {
    const then = change === 'added' ? [] : await this.index.document(placeOf(before), path);
    const now = change === 'removed' ? [] : await this.index.document(placeOf(after), path);
    const symbols = differentSymbols(then, now);
    const truncated = symbols.length > MOST_SYMBOLS;
    return { path, change, symbols: symbols.slice(0, MOST_SYMBOLS), truncated };
  }
}
