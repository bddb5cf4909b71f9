import { type EntityManager, IsNull } from 'typeorm';

import type { Position } from '#contracts';

import { type PackageLinksRow, packageLinksTable } from '../tables/package-links.table.js';
import type { Page } from './page.js';

export type PackageLinkRow = Omit<
  PackageLinksRow,
  'episode' | 'position' | 'removed_position' | 'tenant_id'
>;

/** A link of a tenant as searches use it; of a removed one only where it stood matters. */
export interface KnownLink {
  readonly tenant_id: string;
  readonly package_id: string;
  /** False once it was removed. */
  readonly linked: boolean;
  /** Where it was made or removed. */
  readonly position: Position;
}

/** Those that are not removed, newest first; of one package where its id is named. */
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

/** The packages that a tenant linked at a place in the log. */
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
 * Of every tenant, in the order of the log: what is linked, and where something last was that no
 * longer is.
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
