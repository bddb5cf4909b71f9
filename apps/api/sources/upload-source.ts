import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { type Audience, FootnoteError, TENANT_AUDIENCE } from '#contracts';
import type { UploadedSource } from '#contracts/http/index';
import { BLOB_STORE, type BlobStore, KeyedQueue, uuidv5 } from '#platform';

import type { Caller } from '../auth/caller.js';
import { ErasedTenants } from '../auth/erased-tenants.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import type { CommandIdentity } from '../write/command-identity.js';
import { Projected } from '../write/projected.js';
import { SyncAcceptance } from './accept-sync.js';
import { uploadedDefinition } from './source-definition.js';
import { SourceRegistrations } from './source-registrations.js';
import { newSourceView } from './source-view.js';
import type { ReceivedUpload } from './upload/receive-upload.js';

/** Audience, source id and command of an uploaded file. */
export interface UploadPlace {
  readonly audience: Audience;
  readonly sourceId: string;
  readonly identity: CommandIdentity;
}

/**
 * Registers an uploaded file as a source and starts its sync. The file stays the caller's to close.
 */
export class UploadSource extends Command<UploadedSource> {
  constructor(
    readonly caller: Caller,
    readonly upload: ReceivedUpload,
    /** Default: a source of the tenant, and the identity that follows from the request. */
    readonly place?: UploadPlace,
  ) {
    super();
  }
}

/**
 * The file first, so that no event names what is not there; then the registration; then the sync.
 * Each may be repeated: the ids of source and job follow from the request's Idempotency-Key, whose
 * body is the file and its names. What no event came to name is collected like any other blob.
 */
@Handles(UploadSource)
export class UploadSourceHandler implements ICommandHandler<UploadSource> {
  /** Files are taken into memory one after the other. */
  private readonly turns = new KeyedQueue();

  constructor(
    private readonly syncs: SyncAcceptance,
    private readonly identities: CommandIdentities,
    private readonly projected: Projected,
    private readonly registrations: SourceRegistrations,
    private readonly erased: ErasedTenants,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  async execute({ caller, upload, place }: UploadSource): Promise<UploadedSource> {
    const { file, fileName, hash } = upload;
    const name = upload.name ?? displayName(fileName);
    const blob = await this.turns.run('', async () => {
      const bytes = await file.read();
      // A file may take minutes to arrive. This rejects what arrives after the erasure was known
      // here. It does not bound the write below: the erasure waits for files written up to a minute
      // ago (`NAMED_WITHIN_MS`), not for a write under way. A write that ends after `TenantErased`
      // leaves a file that no event names: collected after a day.
      if (this.erased.has(caller.tenantId))
        throw new FootnoteError('unauthorized', 'The tenant is being erased');
      return this.blobs.put(bytes);
    });
    if (blob !== hash) throw new Error('An uploaded file was read back as another');
    const definition = uploadedDefinition({ blob, file_name: fileName, bytes: file.size });
    const identity =
      place?.identity ?? (await this.identities.of(caller, { name, file_name: fileName, blob }));
    const audience = place?.audience ?? TENANT_AUDIENCE;
    const sourceId = place?.sourceId ?? identity.newId('source');
    const registration = { source_id: sourceId, name, definition, audience };
    const { state, metadata, position } = await this.registrations.register(
      { caller, identity },
      registration,
    );
    const sync = syncOf(sourceId);
    const job_id = sync.newId('job');
    if (state.status !== 'removed') {
      await this.syncs.accept({
        caller,
        identity: sync,
        sourceId,
        jobId: job_id,
        whileOneRuns: 'refuse',
        audience,
      });
    }
    await this.projected.reached('sources', position);
    const view = newSourceView(
      sourceId,
      { name, definition, credentials: null, sync_interval_seconds: 0 },
      metadata?.occurred_at ?? '',
    );
    return { ...view, status: 'syncing', next_sync_at: null, last_job_id: job_id, job_id };
  }
}

/** The first sync of an uploaded source is the same command for every repetition of the upload. */
function syncOf(sourceId: string): CommandIdentity {
  const commandId = uuidv5('sync-uploaded', sourceId);
  return { commandId, idempotency: undefined, newId: (kind) => uuidv5(kind, commandId) };
}

/** A file's name without its ending. */
function displayName(fileName: string): string {
  const name = fileName.replace(/\.pdf$/i, '');
  return name.trim() === '' ? fileName : name.slice(0, 200).toWellFormed();
}
