import { type Ecosystem, PUBLIC_TENANT } from '#contracts';
import type { GlobalPackageView, PackageLinkView } from '#contracts/http/index';
import { findPackages, type PackageLinkRow, type PackageRow } from '#read-model';

import type { ApiReadModel } from '../engines/engines.js';

export function globalPackageView(row: PackageRow): GlobalPackageView {
  const { package_id, name, version, description, homepage, license, status } = row;
  return {
    package_id,
    ecosystem: row.ecosystem as Ecosystem,
    name,
    version,
    description,
    homepage,
    license,
    status,
    file_count: row.file_count,
    chunk_count: row.chunk_count,
    indexed_at: row.indexed_at,
    notices: [...row.notices],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Links with how far their packages are; one whose package does not show yet is pending. */
export async function packageLinkViews(
  readModel: Pick<ApiReadModel, 'ask'>,
  tenantId: string,
  links: readonly PackageLinkRow[],
): Promise<PackageLinkView[]> {
  const owners = [PUBLIC_TENANT, tenantId];
  const ids = links.map(({ package_id }) => package_id);
  const found =
    links.length === 0
      ? []
      : await Promise.all(owners.map((owner) => readModel.ask(findPackages, owner, ids)));
  const rows = new Map(found.flat().map((row) => [row.package_id, row]));
  return links.map(({ link_id, package_id, ecosystem, name, version, created_at }) => {
    const row = rows.get(package_id);
    return {
      link_id,
      package_id,
      ecosystem: ecosystem as Ecosystem,
      name,
      version,
      status: row?.status ?? 'pending',
      job_id: row?.job_id ?? null,
      created_at,
    };
  });
}
