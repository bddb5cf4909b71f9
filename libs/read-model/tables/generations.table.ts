import { defineTable } from './define-table.js';

/**
 * `loading`: staged, and being loaded; `failed`: the index cannot load it; `dropped`: removed from
 * the index.
 */
export type GenerationStateName = 'loading' | 'ready' | 'failed' | 'dropped';

export interface GenerationsRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly generation: number;
  readonly job_id: string;
  readonly state: GenerationStateName;
  readonly manifest: string;
  readonly version_ref: string;
  readonly expected_chunk_count: number;
  /** Number of chunks that the index reports; null until it is ready. */
  readonly loaded_chunk_count: number | null;
  /** Reason of the failure. */
  readonly message: string | null;
  readonly staged_at: string;
}

export const generationsTable = defineTable<GenerationsRow>('generations', {
  columns: {
    tenant_id: { type: 'text' },
    source_id: { type: 'text' },
    generation: { type: 'integer' },
    job_id: { type: 'text' },
    state: { type: 'text' },
    manifest: { type: 'text' },
    version_ref: { type: 'text' },
    expected_chunk_count: { type: 'integer' },
    loaded_chunk_count: { type: 'integer', nullable: true },
    message: { type: 'text', nullable: true },
    staged_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'source_id', 'generation'],
});
