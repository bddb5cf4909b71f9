import { type PackageVersion, PUBLIC_TENANT } from '#contracts';
import { uuidv5 } from '#platform';

/**
 * Returns the id of the source for a release. It is the same for every requester, so that nothing
 * is indexed twice. A release of a private registry is another source for each tenant that it
 * belongs to.
 *
 * @param name as the registry spells it, see {@link PackageVersion}.
 */
export function packageSourceId(
  { ecosystem, name, version }: PackageVersion,
  ownerTenantId: string = PUBLIC_TENANT,
): string {
  const owner = ownerTenantId === PUBLIC_TENANT ? [] : [ownerTenantId];
  return uuidv5('package', ecosystem, name, version, ...owner);
}
