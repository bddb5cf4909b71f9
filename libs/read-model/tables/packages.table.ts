import { defineTable } from './define-table.js';

/**
 * One release of a package. Its tenant is its owner: `public`, or a tenant with its own registry.
 */
export interface PackagesRow {
  readonly tenant_id: string;
  readonly package_id: string;
  /** Position of the registration in the log; newest first is descending. */
  readonly position: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly license: string | null;
  readonly notices: readonly string[];
  /** The source that holds its content, or held it last. */
  readonly source_id: string;
  /** False after it was dropped. */
  readonly held: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export const packagesTable = defineTable<PackagesRow>('packages', {
  columns: {
    tenant_id: { type: 'text' },
    package_id: { type: 'text' },
    position: { type: 'text' },
    ecosystem: { type: 'text' },
    name: { type: 'text' },
    version: { type: 'text' },
    description: { type: 'text', nullable: true },
    homepage: { type: 'text', nullable: true },
    license: { type: 'text', nullable: true },
    notices: { type: 'json' },
    source_id: { type: 'text' },
    held: { type: 'boolean' },
    created_at: { type: 'timestamp' },
    updated_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'package_id'],
  indexes: ['tenant_id, position desc'],
});
