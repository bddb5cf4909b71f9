import { createHash } from 'node:crypto';

import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { FootnoteError, type ManifestDocument, validationFailed } from '#contracts';
import type { ScipUploadQuery, ScipUploadView } from '#contracts/http/index';
import { sourceDecider } from '#domain';
import { BLOB_STORE, type BlobStore, KeyedQueue, TimeSlices } from '#platform';
import { type GenerationView, getSource } from '#read-model';
import { SEARCH_INDEX, type SearchIndex } from '#search-index';

import type { Caller } from '../auth/caller.js';
import { ErasedTenants } from '../auth/erased-tenants.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { fileText, linesOfText } from '../source-files/file-text.js';
import { ContentGaps } from '../sources/content-gaps.js';
import { KeptGenerations, placeOf } from '../sources/kept-generations.js';
import { readIndexedDocument } from '../sources/read-indexed-document.js';
import { registeredForTenant } from '../sources/registered-for-tenant.js';
import type { SpooledFile } from '../sources/upload/spooled-file.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';
import { StreamCommands } from '../write/stream-commands.js';
import { convertScip, type IndexedFiles } from './convert-scip.js';
import { KnownScipUploads } from './known-scip-uploads.js';
import { ScipConcurrency } from './scip-concurrency.js';
import { requireScipName } from './scip-name.js';

/** Makes the occurrences of a SCIP index known. */
export class UploadScip extends Command<ScipUploadView> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: ScipUploadQuery,
    /** Receives the index; called once the source and the version are known. */
    readonly receive: () => Promise<SpooledFile>,
  ) {
    super();
  }
}

type UploadOf = Pick<UploadScip, 'caller' | 'sourceId' | 'query' | 'receive'>;

/**
 * The table of occurrences is stored before the event that names it. A table that no event names is
 * collected.
 */
@Handles(UploadScip)
export class UploadScipHandler implements ICommandHandler<UploadScip> {
  /** Indexes are converted one after the other, which bounds the memory. */
  private readonly turns = new KeyedQueue();

  constructor(
    private readonly commands: StreamCommands,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly generations: KeptGenerations,
    private readonly contentGaps: ContentGaps,
    private readonly uploads: KnownScipUploads,
    private readonly concurrency: ScipConcurrency,
    private readonly erased: ErasedTenants,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(SEARCH_INDEX) private readonly index: SearchIndex,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  async execute({ caller, sourceId, query, receive }: UploadScip): Promise<ScipUploadView> {
    const { version_ref, name } = query;
    requireScipName(name);
    const absent = () => notFound('source_not_found', sourceId);
    const { generation, live } = await this.versionOf(caller, sourceId, version_ref);
    const { blob, bytes, counts, paths, leftOut } = await this.received(
      { caller, sourceId, query, receive },
      generation,
    );
    const upload = {
      name,
      blob,
      bytes,
      version_ref,
      generation: generation.generation,
      ...counts,
      left_out: leftOut,
    };
    const identity = await this.identities.of(caller, undefined);
    const { position } = await this.commands.run({
      caller,
      identity,
      stream: `source-${sourceId}`,
      decider: sourceDecider,
      expected: 'existing',
      absent,
      decide: (current) =>
        sourceDecider.decide(
          { type: 'UploadScip', data: upload },
          registeredForTenant(current, absent),
        ),
    });
    await this.projected.reached('sources', position);
    if (position !== null) await this.uploads.projection.waitFor(position, PROJECTION_WAIT_MS);
    return {
      source_id: sourceId,
      name,
      version_ref,
      generation: generation.generation,
      ...counts,
      current_documents: await this.unchanged(paths, generation, live),
      left_out: leftOut,
    };
  }

  /** Receives an index and stores its table; both hold a slot of the tenant. */
  private async received(upload: UploadOf, generation: GenerationView) {
    const release = this.concurrency.take(upload.caller.tenantId);
    try {
      const file = await upload.receive();
      return await this.turns
        .run('', () => this.store(upload, generation, file))
        .finally(() => file.close());
    } finally {
      release();
    }
  }

  /** Converts an index to a table and stores that. */
  private async store(
    { caller, sourceId, query }: UploadOf,
    generation: GenerationView,
    file: SpooledFile,
  ) {
    const root = (query.root ?? '').replace(/^\/|\/$/g, '');
    const readable = { size: file.size, read: file.readAt.bind(file) };
    const files = await this.filesOf(generation);
    const { table, paths, leftOut } = await convertScip(readable, files, root);
    const bytes = await table.encode({ tenantId: caller.tenantId, sourceId });
    // The upload may have taken minutes.
    if (this.erased.has(caller.tenantId))
      throw new FootnoteError('unauthorized', 'The tenant is being erased');
    const blob = await this.blobs.put(bytes);
    return { blob, bytes: bytes.length, counts: table.counts, paths, leftOut };
  }

  /** Returns the generation of a version, and the live one. */
  private async versionOf(caller: Caller, sourceId: string, version_ref: string) {
    const id = requireId('source_not_found', sourceId);
    const source = await this.readModel.ask(getSource, caller.tenantId, id);
    if (!source) throw notFound('source_not_found', sourceId);
    if (source.source_type !== 'repo') {
      const message = 'must be a repository: only its files have places in code';
      throw validationFailed([{ field: 'source_id', message }]);
    }
    const generation = await this.generations.find(caller, id, { version_ref });
    return { generation, live: await this.generations.find(caller, id, {}) };
  }

  private async filesOf(generation: GenerationView): Promise<IndexedFiles> {
    const documents = new Map<string, ManifestDocument>();
    const slices = new TimeSlices();
    for (const document of await this.generations.documents(generation)) {
      if (slices.isUsedUp) await slices.pause();
      if (document.skipped === undefined) documents.set(document.path, document);
    }
    const textOf = async (path: string): Promise<string> => {
      const document = documents.get(path);
      if (!document || document.chunks === 0) return '';
      const place = placeOf(generation);
      const chunks = await readIndexedDocument(this.index, this.contentGaps, place, path);
      return fileText(document, chunks).text;
    };
    return {
      versionOf: (path) => documents.get(path)?.version,
      isText: async (path, text) => {
        const version = documents.get(path)?.version ?? '';
        if (BLOB_ID.test(version)) return gitBlobId(text) === version;
        return (await textOf(path)) === Buffer.from(text).toString();
      },
      lines: async (path) => linesOfText(await textOf(path)),
    };
  }

  /** Returns how many files have the same version in both generations. */
  private async unchanged(
    paths: ReadonlySet<string>,
    indexed: GenerationView,
    live: GenerationView,
  ): Promise<number> {
    if (indexed.manifest === live.manifest) return paths.size;
    const versions = new Map<string, string>();
    const slices = new TimeSlices();
    for (const { path, version } of await this.generations.documents(indexed)) {
      if (slices.isUsedUp) await slices.pause();
      if (paths.has(path)) versions.set(path, version);
    }
    let count = 0;
    for (const { path, version } of await this.generations.documents(live)) {
      if (slices.isUsedUp) await slices.pause();
      if (versions.get(path) === version) count += 1;
    }
    return count;
  }
}

/** The form of a version that is a git blob id. */
const BLOB_ID = /^[0-9a-f]{40}$/;

function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
