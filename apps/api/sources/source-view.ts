import { shownDefinition } from '#contracts';
import type { SourceView } from '#contracts/http/index';
import { plannedAt, type RegisteredSource } from '#domain';
import { redactUrlsIn } from '#ingest/redact/redact-urls';

/**
 * A source that was registered just now, as its decided state gives it; the read model renders the
 * same fields.
 */
export function newSourceView(
  id: string,
  source: StatedSource & Scheduled,
  createdAt: string,
): SourceView {
  return {
    id,
    ...statedView(source),
    status: 'pending',
    file_count: 0,
    chunk_count: 0,
    version_ref: null,
    last_job_id: null,
    last_error: null,
    sync_message: null,
    sync_interval_seconds: source.sync_interval_seconds,
    next_sync_at: plannedAt(id, source.sync_interval_seconds, createdAt),
    has_push_hook: false,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Fields of a source in requests. */
export type StatedSource = Pick<RegisteredSource, 'name' | 'definition' | 'credentials'>;
type Scheduled = Pick<RegisteredSource, 'sync_interval_seconds'>;

/**
 * The fields of a source that requests decide, its credentials as nothing but that there are some.
 */
export function statedView({ name, definition, credentials }: StatedSource) {
  const has = definition.source_type === 'repo' ? { has_credentials: credentials !== null } : {};
  return { name, ...shownDefinition(redactUrlsIn(definition)), ...has };
}
