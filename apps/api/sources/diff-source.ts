import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { FootnoteError, type ManifestDocument, validationFailed } from '#contracts';
import type { FileDiffView, SourceDiffQuery, SourceDiffView } from '#contracts/http/index';
import { BLOB_STORE, type BlobStore, isBlobGone, jsonArrayItems, mapBounded } from '#platform';
import { type GenerationView, getGeneration, getSource, isGenerationDropped } from '#read-model';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { type DifferentFile, differentFiles } from './diff/file-diff.js';
import { differentSymbols } from './diff/symbol-diff.js';
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
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(BLOB_STORE) private readonly blobs: Pick<BlobStore, 'get'>,
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
    const before = await this.kept(tenantId, id, 'from', query.from);
    const after = await this.kept(tenantId, id, 'to', to);
    const files = await differentFiles(await this.documents(before), await this.documents(after));
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

  private async kept(
    tenantId: string,
    sourceId: string,
    field: string,
    generation: number,
  ): Promise<GenerationView> {
    const row = await this.readModel.ask(getGeneration, tenantId, sourceId, generation);
    if (!row) {
      const message = `must be a generation of the source (got ${generation})`;
      throw validationFailed([{ field, message }]);
    }
    const dropped =
      row.state === 'dropped' ||
      (await this.readModel.ask(isGenerationDropped, tenantId, sourceId, generation));
    if (!dropped) return row;
    throw new FootnoteError('generation_dropped', `Generation ${generation} is not kept any more`);
  }

  private async documents({
    manifest,
    generation,
  }: GenerationView): Promise<readonly ManifestDocument[]> {
    try {
      const { documents } = await jsonArrayItems(await this.blobs.get(manifest), ['documents']);
      return documents as ManifestDocument[];
    } catch (error) {
      if (!isBlobGone(error)) throw error;
      const message = `The manifest of generation ${generation} is missing`;
      throw new FootnoteError('content_missing', message, { cause: error });
    }
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

function placeOf({ tenant_id: tenantId, source_id: sourceId, generation }: GenerationView) {
  return { tenantId, sourceId, generation };
}
