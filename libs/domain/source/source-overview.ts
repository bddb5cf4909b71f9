import {
  type Audience,
  type DomainEvent,
  type DomainEventType,
  keepScipUploads,
  scipBytes,
  type ScipUpload,
  type SourceDefinition,
  type SourceStatus,
  TENANT_AUDIENCE,
  withoutScipNames,
} from '#contracts';

import { plannedAt } from './next-sync.js';

/** Types of events that change the overview of a source. */
export const OVERVIEW_EVENTS = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceSyncRequested',
  'SourceHookSet',
  'SourceHookRemoved',
  'SourceScipUploaded',
  'SourceScipRemoved',
  'SourceRemoved',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
] as const satisfies readonly DomainEventType[];
type OverviewEventType = (typeof OVERVIEW_EVENTS)[number];

/** An event of a source or its jobs. Its URLs have no secrets. */
export type OverviewEvent<Type extends OverviewEventType = OverviewEventType> = Extract<
  DomainEvent,
  { readonly type: Type }
> & { readonly tenant_id: string; readonly position: string; readonly occurred_at: string };

/** A source with the results of its syncs, as lists of sources show it. */
export interface SourceOverview {
  readonly tenant_id: string;
  readonly source_id: string;
  /** Position of the registration in the log. */
  readonly position: string;
  readonly name: string;
  readonly source_type: string;
  /** Without `doc_urls`, which lists do not read. */
  readonly definition: Omit<SourceDefinition, 'doc_urls'>;
  readonly doc_urls: readonly string[] | null;
  readonly doc_url_count: number | null;
  readonly audience: Audience;
  readonly has_credentials: boolean;
  readonly status: SourceStatus;
  /** The status after a cancelled sync. */
  readonly settled_status: Exclude<SourceStatus, 'syncing'>;
  readonly file_count: number;
  readonly chunk_count: number;
  readonly stored_bytes: number;
  readonly upload_bytes: number;
  readonly live_generation: number | null;
  readonly live_manifest: string | null;
  readonly version_ref: string | null;
  readonly live_url: string | null;
  readonly last_sync_completed: string | null;
  readonly last_job_id: string | null;
  readonly last_error: string | null;
  readonly sync_interval_seconds: number;
  readonly next_sync_at: string | null;
  readonly has_push_hook: boolean;
  readonly push_hook: { readonly hook_id: string; readonly secret: string } | null;
  readonly scip: readonly ScipUpload[] | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Returns the overview after an event; undefined for a source that is not registered or removed. A
 * source counts as syncing from the accepted request on, although its job's stream is opened after
 * it. A cancelled job returns it to its status before. Events of jobs do not restore a removed
 * source.
 */
export function evolveOverview(
  overview: SourceOverview | undefined,
  event: OverviewEvent,
): SourceOverview | undefined {
  if (event.type === 'SourceRegistered') return overview ?? registered(event);
  return overview && after(overview, event);
}

function registered({
  tenant_id,
  position,
  data,
  occurred_at,
}: OverviewEvent<'SourceRegistered'>): SourceOverview {
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
    scip: null,
    created_at: occurred_at,
    updated_at: occurred_at,
  };
}

/** Returns the fields of a definition. */
function shown(
  definition: SourceDefinition,
): Pick<SourceOverview, 'definition' | 'doc_urls' | 'doc_url_count'> {
  const { doc_urls = null, ...rest } = definition;
  return { definition: rest, doc_urls, doc_url_count: doc_urls && doc_urls.length };
}

function after(
  row: SourceOverview,
  event: Exclude<OverviewEvent, { type: 'SourceRegistered' }>,
): SourceOverview | undefined {
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
    case 'SourceScipUploaded':
      return withScip(row, event, keepScipUploads(row.scip ?? [], event.data.scip));
    case 'SourceScipRemoved':
      return withScip(row, event, withoutScipNames(row.scip ?? [], event.data.names));
    case 'SourceRemoved':
      return undefined;
    case 'JobCompleted':
      return published(row, event);
    case 'JobFailed':
      return settle(row, event, {
        status: 'error',
        settled_status: 'error',
        last_error: event.data.error_message,
      });
    case 'JobCancelled':
      return settle(row, event, { status: row.settled_status });
  }
}

function withScip(
  row: SourceOverview,
  { occurred_at }: OverviewEvent,
  scip: readonly ScipUpload[],
): SourceOverview {
  const stored_bytes = row.stored_bytes - scipBytes(row.scip ?? []) + scipBytes(scip);
  return { ...row, scip, stored_bytes, updated_at: occurred_at };
}

function updated(
  row: SourceOverview,
  { data, occurred_at }: OverviewEvent<'SourceUpdated'>,
): SourceOverview {
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
function published(row: SourceOverview, event: OverviewEvent<'JobCompleted'>): SourceOverview {
  const { data, occurred_at } = event;
  const live: SourceOverview = {
    ...row,
    file_count: data.file_count,
    chunk_count: data.chunk_count,
    stored_bytes:
      data.bytes === undefined
        ? row.stored_bytes
        : data.bytes + row.upload_bytes + scipBytes(row.scip ?? []),
    live_generation: data.generation,
    live_manifest: data.manifest,
    version_ref: data.version_ref,
    live_url: data.url ?? null,
    last_sync_completed: occurred_at,
    settled_status: 'synced',
    last_error: null,
    updated_at: occurred_at,
  };
  return settle(live, event, { status: 'synced' });
}

function settle(
  row: SourceOverview,
  event: OverviewEvent<'JobCompleted' | 'JobFailed' | 'JobCancelled'>,
  outcome: Partial<SourceOverview>,
): SourceOverview {
  if (row.last_job_id !== event.data.job_id) return row;
  const next_sync_at = plannedAt(row.source_id, row.sync_interval_seconds, event.occurred_at);
  return { ...row, ...outcome, next_sync_at, updated_at: event.occurred_at };
}
