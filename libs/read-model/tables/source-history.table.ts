import type { Audience, PriorityKind } from '#contracts';

import { defineTable } from './define-table.js';

/** Facts that change what searches see of a source. */
export type SourceFact = 'registered' | 'updated' | 'published' | 'dropped' | 'removed';

/** One fact, at its position in the log; fields without information are null. */
export interface SourceHistoryRow {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly position: string;
  readonly fact: SourceFact;
  readonly name: string | null;
  readonly kind: PriorityKind | null;
  /** Only of `registered`. */
  readonly audience: Audience | null;
  /** Only of `published` and `dropped`. */
  readonly generation: number | null;
  readonly version_ref: string | null;
  /** Only of `published`: URL from which it was read, if recorded. */
  readonly url: string | null;
  readonly happened_at: string;
}

export const sourceHistoryTable = defineTable<SourceHistoryRow>('source_history', {
  columns: {
    tenant_id: { type: 'text' },
    source_id: { type: 'text' },
    position: { type: 'text' },
    fact: { type: 'text' },
    name: { type: 'text', nullable: true },
    kind: { type: 'text', nullable: true },
    audience: { type: 'json', nullable: true },
    generation: { type: 'integer', nullable: true },
    version_ref: { type: 'text', nullable: true },
    url: { type: 'text', nullable: true },
    happened_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'source_id', 'position'],
  indexes: ['tenant_id, fact, source_id, position desc'],
});
