import { shownDefinition, type SourceDefinition } from '#contracts';
import type { SourceView } from '#contracts/http/index';

/** A source that was registered just now, as its decided state gives it; the read model renders the same fields. */
export function newSourceView(id: string, name: string, definition: SourceDefinition, createdAt: string): SourceView {
  return {
    id,
    name,
    ...shownDefinition(definition),
    status: 'pending',
    file_count: 0,
    chunk_count: 0,
    version_ref: null,
    last_job_id: null,
    last_error: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
