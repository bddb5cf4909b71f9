import { type SourceDefinition, TENANT_AUDIENCE } from '#contracts';
import { plannedAt } from '#domain';
import { redactUrls, redactUrlsIn } from '#ingest/redact/redact-urls';
import { type SourcesRow, sourcesTable } from '#read-model';

import { defineProjection, type ProjectedEvent } from '../runner/projection.js';

const HANDLES = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceSyncRequested',
  'SourceHookSet',
  'SourceHookRemoved',
  'SourceRemoved',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
] as const;
type Handled = ProjectedEvent<(typeof HANDLES)[number]>;

/**
 * A source counts as syncing from the accepted request on, although its job's stream is opened
 * after it. A cancelled job returns it to what it was before. A removed source has no row, whatever
 * its jobs still say.
 */
export const sourcesProjection = defineProjection({
  name: 'sources',
  version: 4,
  table: sourcesTable,
  handles: HANDLES,
  keyOf: (event) => [event.tenant_id, event.data.source_id],
  evolve: (row, event) => {
    if (event.type === 'SourceRegistered') return row ?? registered(event);
    return row && after(row, event);
  },
});

function registered({
  tenant_id,
  position,
  data,
  occurred_at,
}: ProjectedEvent<'SourceRegistered'>): SourcesRow {
  return {
    tenant_id,
    source_id: data.source_id,
    position,
    name: data.name,
    source_type: data.definition.source_type,
    ...shown(data.definition),
    audience: data.audience ?? TENANT_AUDIENCE,
    has_credentials: data.credentials !== undefined,
    status: 'pending',
    settled_status: 'pending',
    file_count: 0,
    chunk_count: 0,
    stored_bytes: data.definition.upload?.bytes ?? 0,
    upload_bytes: data.definition.upload?.bytes ?? 0,
    live_generation: null,
    live_manifest: null,
    version_ref: null,
    live_url: null,
    last_sync_completed: null,
    last_job_id: null,
    last_error: null,
    sync_interval_seconds: data.sync_interval_seconds ?? 0,
    next_sync_at: plannedAt(data.source_id, data.sync_interval_seconds ?? 0, occurred_at),
    has_push_hook: false,
    push_hook: null,
    created_at: occurred_at,
    updated_at: occurred_at,
  };
}

/**
 * The columns of a definition. Logs of versions before may have secrets in its URLs, which nobody
 * is shown.
 */
function shown(
  definition: SourceDefinition,
): Pick<SourcesRow, 'definition' | 'doc_urls' | 'doc_url_count'> {
  const { doc_urls = null, ...rest } = redactUrlsIn(definition);
  return { definition: rest, doc_urls, doc_url_count: doc_urls && doc_urls.length };
}

function after(
  row: SourcesRow,
  event: Exclude<Handled, { type: 'SourceRegistered' }>,
): SourcesRow | undefined {
  switch (event.type) {
    case 'SourceUpdated':
      return updated(row, event);
    case 'SourceSyncRequested':
      return {
        ...row,
        status: 'syncing',
        last_job_id: event.data.job_id,
        next_sync_at: null,
        updated_at: event.occurred_at,
      };
    case 'SourceHookSet': {
      const { hook_id, secret } = event.data;
      return {
        ...row,
        has_push_hook: true,
        push_hook: { hook_id, secret },
        updated_at: event.occurred_at,
      };
    }
    case 'SourceHookRemoved':
      return { ...row, has_push_hook: false, push_hook: null, updated_at: event.occurred_at };
    case 'SourceRemoved':
      return undefined;
    case 'JobCompleted':
      return published(row, event);
    case 'JobFailed':
      return settle(row, event, {
        status: 'error',
        settled_status: 'error',
        last_error: redactUrls(event.data.error_message),
      });
    case 'JobCancelled':
      return settle(row, event, { status: row.settled_status });
  }
}

function updated(
  row: SourcesRow,
  { data, occurred_at }: ProjectedEvent<'SourceUpdated'>,
): SourcesRow {
  const { name = row.name, sync_interval_seconds } = data;
  const has_credentials =
    data.credentials === undefined ? row.has_credentials : data.credentials !== null;
  const definition = data.definition && {
    ...shown(data.definition),
    source_type: data.definition.source_type,
  };
  const changed = { ...row, name, ...definition, has_credentials, updated_at: occurred_at };
  if (sync_interval_seconds === undefined) return changed;
  const next =
    row.status === 'syncing' ? null : plannedAt(row.source_id, sync_interval_seconds, occurred_at);
  return { ...changed, sync_interval_seconds, next_sync_at: next };
}

/**
 * Published content is live even if the job is not the last one; only the last job's end settles
 * the status.
 */
function published(row: SourcesRow, event: ProjectedEvent<'JobCompleted'>): SourcesRow {
  const { data, occurred_at } = event;
  const live: SourcesRow = {
    ...row,
    file_count: data.file_count,
    chunk_count: data.chunk_count,
    stored_bytes: data.bytes === undefined ? row.stored_bytes : data.bytes + row.upload_bytes,
    live_generation: data.generation,
    live_manifest: data.manifest,
    version_ref: data.version_ref,
    live_url: data.url === undefined ? null : redactUrls(data.url),
    last_sync_completed: occurred_at,
    settled_status: 'synced',
    last_error: null,
    updated_at: occurred_at,
  };
  return settle(live, event, { status: 'synced' });
}

function settle(
  row: SourcesRow,
  event: ProjectedEvent<'JobCompleted' | 'JobFailed' | 'JobCancelled'>,
  outcome: Partial<SourcesRow>,
): SourcesRow {
  if (row.last_job_id !== event.data.job_id) return row;
  const next_sync_at = plannedAt(row.source_id, row.sync_interval_seconds, event.occurred_at);
  return { ...row, ...outcome, next_sync_at, updated_at: event.occurred_at };
}
