import type { Audience, ScipUpload, SourceDefinition, SourceStatus } from '#contracts';

import { defineTable } from './define-table.js';

export interface StoredPushHook {
  readonly hook_id: string;
  readonly secret: string;
}

export interface SourcesRow {
  readonly tenant_id: string;
  readonly source_id: string;
  /** Position of the registration in the log; newest first is descending. */
  readonly position: string;
  readonly name: string;
  readonly source_type: string;
  /** Without `doc_urls`, which lists do not read. */
  readonly definition: Omit<SourceDefinition, 'doc_urls'>;
  /** Null for sources without such a field. */
  readonly doc_urls: readonly string[] | null;
  readonly doc_url_count: number | null;
  /** The callers that may find it. */
  readonly audience: Audience;
  readonly has_credentials: boolean;
  readonly status: SourceStatus;
  /** The status after a cancelled sync. */
  readonly settled_status: Exclude<SourceStatus, 'syncing'>;
  readonly file_count: number;
  readonly chunk_count: number;
  /** Bytes of its uploaded file, live packs, SCIP indexes and the data kept between syncs. */
  readonly stored_bytes: number;
  /** Bytes of its uploaded file alone. */
  readonly upload_bytes: number;
  /** The generation that searches see, or null before the first completed sync. */
  readonly live_generation: number | null;
  readonly live_manifest: string | null;
  readonly version_ref: string | null;
  /** URL of the live generation; null if it was not recorded. */
  readonly live_url: string | null;
  readonly last_sync_completed: string | null;
  readonly last_job_id: string | null;
  readonly last_error: string | null;
  /** 0: no scheduled syncs. */
  readonly sync_interval_seconds: number;
  /** Null if none is planned: without an interval, or while one is pending or running. */
  readonly next_sync_at: string | null;
  readonly has_push_hook: boolean;
  /** The hook that signs pushes, its secret sealed with the tenant's data key; null without one. */
  readonly push_hook: StoredPushHook | null;
  /** Kept uploads of SCIP indexes, the newest first; null for none. */
  readonly scip: readonly ScipUpload[] | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const sourcesTable = defineTable<SourcesRow>('sources', {
  columns: {
    tenant_id: { type: 'text' },
    source_id: { type: 'text' },
    position: { type: 'text' },
    name: { type: 'text' },
    source_type: { type: 'text' },
    definition: { type: 'json' },
    doc_urls: { type: 'json', nullable: true },
    doc_url_count: { type: 'integer', nullable: true },
    audience: { type: 'json' },
    has_credentials: { type: 'boolean' },
    status: { type: 'text' },
    settled_status: { type: 'text' },
    file_count: { type: 'integer' },
    chunk_count: { type: 'integer' },
    stored_bytes: { type: 'bigint' },
    upload_bytes: { type: 'bigint' },
    live_generation: { type: 'integer', nullable: true },
    live_manifest: { type: 'text', nullable: true },
    version_ref: { type: 'text', nullable: true },
    live_url: { type: 'text', nullable: true },
    last_sync_completed: { type: 'timestamp', nullable: true },
    last_job_id: { type: 'text', nullable: true },
    last_error: { type: 'text', nullable: true },
    sync_interval_seconds: { type: 'integer' },
    next_sync_at: { type: 'timestamp', nullable: true },
    has_push_hook: { type: 'boolean' },
    push_hook: { type: 'json', nullable: true },
    scip: { type: 'json', nullable: true },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'source_id'],
  indexes: ['tenant_id, position desc'],
});
