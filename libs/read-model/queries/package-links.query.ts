import { type EntityManager, IsNull } from 'typeorm';

import type { Position } from '#contracts';

import { type PackageLinksRow, packageLinksTable } from '../tables/package-links.table.js';
import type { Page } from './page.js';

export type PackageLinkRow = Omit<
  PackageLinksRow,
  'episode' | 'position' | 'removed_position' | 'tenant_id'
>;

/** A tenant's link as searches use it; for a removed link, only its position matters. */
export interface KnownLink {
  readonly tenant_id: string;
  readonly package_id: string;
  /** False after it was removed. */
  readonly linked: boolean;
  /** Position of its creation or removal. */
  readonly position: Position;
}

/** Returns links that are not removed, newest first; of one package if its id is given. */
export async function listPackageLinks(
  manager: EntityManager,
  tenantId: string,
  { skip, limit, link_id }: Page & { readonly link_id?: string },
): Promise<{ links: PackageLinkRow[]; total: number }> {
  const [rows, total] = await manager.findAndCount(packageLinksTable.entity, {
    where: {
      tenant_id: tenantId,
      removed_position: IsNull(),
      ...(link_id === undefined ? {} : { link_id }),
    },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  const links = rows.map(
    ({ link_id, package_id, owner_tenant_id, ecosystem, name, version, created_at }) => ({
      link_id,
      package_id,
      owner_tenant_id,
      ecosystem,
      name,
      version,
      created_at,
    }),
  );
  return { links, total };
}

/** Returns the packages that a tenant linked at a position in the log. */
export async function linkedPackagesAt(
  manager: EntityManager,
  tenantId: string,
  position: Position,
): Promise<ReadonlySet<string>> {
  const rows = await manager.find(packageLinksTable.entity, { where: { tenant_id: tenantId } });
  const then = rows.filter(
    (row) =>
      row.position <= position &&
      (row.removed_position === null || row.removed_position > position),
  );
  return new Set(then.map(({ package_id }) => package_id));
}

/**
 * Returns the links of every tenant in log order: existing links, and the position of the last
 * removed one.
 */
export async function listKnownLinks(manager: EntityManager): Promise<KnownLink[]> {
  const rows = await manager.find(packageLinksTable.entity);
  return rows
    .map(({ tenant_id, package_id, position, removed_position }) => ({
      tenant_id,
      package_id,
      linked: removed_position === null,
      position: (removed_position ?? position) as Position,
    }))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}
