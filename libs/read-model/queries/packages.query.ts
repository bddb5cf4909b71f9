import type { EntityManager } from 'typeorm';

import type { PackageStatus, SourceStatus } from '#contracts';

import { SCHEMA } from '../schema.js';
import { type PackagesRow, packagesTable } from '../tables/packages.table.js';
import type { SourcesRow } from '../tables/sources.table.js';
import type { Page } from './page.js';

/** A package with how far it is indexed. */
export interface PackageRow extends Omit<PackagesRow, 'held' | 'tenant_id' | 'position'> {
  readonly status: PackageStatus;
  readonly file_count: number;
  readonly chunk_count: number;
  readonly indexed_at: string | null;
  readonly job_id: string | null;
}

export interface ListPackages extends Page {
  readonly ecosystem?: string;
  /** Words of name or description, case-insensitive. */
  readonly query?: string;
}

/** A package whose content a source holds. */
export type HeldPackage = Pick<PackagesRow, 'tenant_id' | 'package_id' | 'source_id'>;

type Selected = PackagesRow &
  Pick<SourcesRow, 'file_count' | 'chunk_count'> & {
    readonly source_status: SourceStatus | null;
    readonly last_sync_completed: Date | string | null;
    readonly last_job_id: string | null;
  };

const SELECT = `select p.*, s.status as source_status, coalesce(s.file_count, 0) as file_count,
         coalesce(s.chunk_count, 0) as chunk_count, s.last_sync_completed, s.last_job_id
    from ${SCHEMA}.packages p
    left join ${SCHEMA}.sources s on p.held and s.tenant_id = p.tenant_id and s.source_id = p.source_id`;

/** Returns the packages that belong to a tenant, newest first. */
export async function listPackages(
  manager: EntityManager,
  tenantId: string,
  { ecosystem, query, skip, limit }: ListPackages,
): Promise<{ packages: PackageRow[]; total: number }> {
  const conditions = ['p.tenant_id = $1'];
  const parameters: unknown[] = [tenantId];
  const given = (value: unknown): string => `$${parameters.push(value)}`;
  if (ecosystem !== undefined) conditions.push(`p.ecosystem = ${given(ecosystem)}`);
  for (const word of (query ?? '').split(/\s+/).filter(Boolean)) {
    const pattern = given(`%${word.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(p.name ilike ${pattern} or p.description ilike ${pattern})`);
  }
  const where = `where ${conditions.join(' and ')}`;
  const [counted] = await manager.query<{ total: string | number }[]>(
    `select count(*) as total from ${SCHEMA}.packages p ${where}`,
    parameters,
  );
  const rows = await manager.query<Selected[]>(
    `${SELECT} ${where} order by p.position desc offset ${given(skip)} limit ${given(limit)}`,
    parameters,
  );
  return { packages: rows.map(packageRow), total: Number(counted?.total ?? 0) };
}

export async function getPackage(
  manager: EntityManager,
  tenantId: string,
  packageId: string,
): Promise<PackageRow | null> {
  const [found] = await findPackages(manager, tenantId, [packageId]);
  return found ?? null;
}

/** Returns those of the given packages that belong to a tenant, unordered. */
export async function findPackages(
  manager: EntityManager,
  tenantId: string,
  packageIds: readonly string[],
): Promise<PackageRow[]> {
  const parameters = [tenantId, [...packageIds]];
  const rows = await manager.query<Selected[]>(
    `${SELECT} where p.tenant_id = $1 and p.package_id = any($2)`,
    parameters,
  );
  return rows.map(packageRow);
}

/** Returns the held packages of all tenants. */
export async function listHeldPackages(manager: EntityManager): Promise<HeldPackage[]> {
  const rows = await manager.find(packagesTable.entity, { where: { held: true } });
  return rows.map(({ tenant_id, package_id, source_id }) => ({ tenant_id, package_id, source_id }));
}

function packageRow(row: Selected): PackageRow {
  const {
    package_id,
    ecosystem,
    name,
    version,
    description,
    homepage,
    license,
    notices,
    source_id,
  } = row;
  return {
    package_id,
    ecosystem,
    name,
    version,
    description,
    homepage,
    license,
    notices,
    source_id,
    status: row.held ? (row.source_status ?? 'pending') : 'dropped',
    file_count: row.file_count,
    chunk_count: row.chunk_count,
    indexed_at:
      row.last_sync_completed === null ? null : new Date(row.last_sync_completed).toISOString(),
    job_id: row.last_job_id,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
