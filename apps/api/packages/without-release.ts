import type { PackageReleaseFields } from '#contracts/http/index';

const FIELDS = new Set<string>(['package_name', 'ecosystem', 'version']);

/** Returns a request without the fields that name its release. */
export function withoutRelease<Request extends Readonly<PackageReleaseFields>>(
  request: Request,
): Omit<Request, keyof PackageReleaseFields> {
  const others = Object.entries(request).filter(([field]) => !FIELDS.has(field));
  return Object.fromEntries(others) as Omit<Request, keyof PackageReleaseFields>;
}
