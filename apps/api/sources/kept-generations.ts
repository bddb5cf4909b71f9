import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { FootnoteError, type ManifestDocument, validationFailed } from '#contracts';
import type { SourceVersionQuery } from '#contracts/http/index';
import { BLOB_STORE, type BlobStore, isBlobGone, jsonArrayItems } from '#platform';
import {
  type GenerationView,
  getGeneration,
  getGenerationOfVersion,
  getSource,
  isGenerationDropped,
  versionsBeginningWith,
} from '#read-model';
import { allOf, type AudiencesAsked, visibleSource } from '#search';
import type { LiveSource } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { KnownLinks } from '../package-links/known-links.js';
import { LiveSources } from './live-sources.js';

/** First digits of a commit, as citations of tools show it. */
const SHORT_COMMIT = /^[0-9a-f]{12,39}$/;
/** Documents of all cached manifests. */
const CACHED_DOCUMENTS = 50_000;

/** The generations of a source that are still kept, and the documents of each. */
@Injectable()
export class KeptGenerations {
  /** Lists of documents by the hash of their manifest, which never changes. */
  private readonly listed = new LRUCache<string, readonly ManifestDocument[]>({
    maxSize: CACHED_DOCUMENTS,
    sizeCalculation: (documents) => documents.length + 1,
  });

  constructor(
    private readonly liveSources: LiveSources,
    private readonly links: KnownLinks,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(BLOB_STORE) private readonly blobs: Pick<BlobStore, 'get'>,
  ) {}

  /**
   * Returns a generation of a source that the caller sees: its own, or a package that it links.
   *
   * @param audiences that the use case speaks as. Default: the caller's own and linked ones.
   * @throws FootnoteError `source_not_found`, `content_not_found`, `validation_failed` for an
   * unknown generation, or `generation_dropped`.
   */
  async find(
    { tenantId }: Caller,
    sourceId: string,
    { generation, version_ref }: SourceVersionQuery,
    audiences?: AudiencesAsked,
  ): Promise<GenerationView> {
    const id = requireId('source_not_found', sourceId);
    const links = this.links.of(tenantId);
    const viewer = { tenantId, links };
    const live = visibleSource(this.liveSources, viewer, id, audiences ?? allOf(links));
    if (!live) {
      if (!(await this.readModel.ask(getSource, tenantId, id)))
        throw notFound('source_not_found', sourceId);
      throw new FootnoteError('content_not_found', 'This source has not been synced yet');
    }
    if (generation !== undefined && version_ref !== undefined) {
      const message = 'must not be given with generation';
      throw validationFailed([{ field: 'version_ref', message }]);
    }
    if (version_ref === undefined || version_ref === live.versionRef)
      return this.kept(live.tenantId, id, 'generation', generation ?? live.generation);
    const whole = await this.wholeVersion(live.tenantId, id, version_ref);
    const row = await this.readModel.ask(getGenerationOfVersion, live.tenantId, id, whole);
    if (row && row.generation <= live.generation)
      return this.kept(live.tenantId, id, 'version_ref', row.generation);
    throw validationFailed([{ field: 'version_ref', message: 'must be a version of the source' }]);
  }

  /**
   * Returns the version that the first digits of a commit name, and any other version as it is.
   * @throws FootnoteError `validation_failed` if two versions begin so.
   */
  private async wholeVersion(tenantId: string, sourceId: string, version: string): Promise<string> {
    if (!SHORT_COMMIT.test(version)) return version;
    const found = await this.readModel.ask(versionsBeginningWith, tenantId, sourceId, version);
    if (found.length < 2) return found[0] ?? version;
    const message = 'must name one version: several begin with these digits';
    throw validationFailed([{ field: 'version_ref', message }]);
  }

  /**
   * @param field of the request that names the generation.
   * @throws FootnoteError `validation_failed` or `generation_dropped`.
   */
  async kept(
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

  /** @throws FootnoteError `content_missing` if the manifest is lost. */
  async documents({ manifest, generation }: GenerationView): Promise<readonly ManifestDocument[]> {
    const known = this.listed.get(manifest);
    if (known) return known;
    try {
      const { documents } = await jsonArrayItems(await this.blobs.get(manifest), ['documents']);
      const listed = documents as ManifestDocument[];
      this.listed.set(manifest, listed);
      return listed;
    } catch (error) {
      if (!isBlobGone(error)) throw error;
      const message = `The manifest of generation ${generation} is missing`;
      throw new FootnoteError('content_missing', message, { cause: error });
    }
  }
}

/** Returns the place of a generation in the search index. */
export function placeOf(row: GenerationView): LiveSource {
  const { tenant_id: tenantId, source_id: sourceId, generation } = row;
  return { tenantId, sourceId, generation };
}
