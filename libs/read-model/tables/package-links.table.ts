import { defineTable } from './define-table.js';

/**
 * A period in which a tenant linked a package. Removed links stay, so that past searches can be
 * explained.
 */
export interface PackageLinksRow {
  readonly tenant_id: string;
  readonly link_id: string;
  /** Counted from 1, because a removed link can be created again. */
  readonly episode: number;
  readonly package_id: string;
  readonly owner_tenant_id: string;
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
  /** Position of the linking in the log; newest first is descending. */
  readonly position: string;
  /** Position of the removal; null while it is linked. */
  readonly removed_position: string | null;
  readonly created_at: string;
}

export const packageLinksTable = defineTable<PackageLinksRow>('package_links', {
  columns: {
    tenant_id: { type: 'text' },
    link_id: { type: 'text' },
    episode: { type: 'integer' },
    package_id: { type: 'text' },
    owner_tenant_id: { type: 'text' },
    ecosystem: { type: 'text' },
    name: { type: 'text' },
    version: { type: 'text' },
    position: { type: 'text' },
    removed_position: { type: 'text', nullable: true },
    created_at: { type: 'timestamp' },
  },
  key: ['tenant_id', 'link_id', 'episode'],
  indexes: ['tenant_id, position desc'],
});
