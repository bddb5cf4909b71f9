import { z } from 'zod';

/** Package registries that the service reads. */
export const ECOSYSTEMS = ['npm', 'pypi', 'cargo', 'maven', 'go'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** One release of a package. It never changes once it is published. */
export const packageVersionSchema = z.object({
  ecosystem: z.enum(ECOSYSTEMS),
  /**
   * As its registry spells it: `@nestjs/core`, `zope-interface` (PEP 503),
   * `com.google.guava:guava`, `golang.org/x/mod`.
   */
  name: z.string(),
  /** Exact, as its registry spells it. */
  version: z.string(),
});
export type PackageVersion = Readonly<z.output<typeof packageVersionSchema>>;

const ECOSYSTEM_NAMES: Readonly<Record<Ecosystem, string>> = {
  npm: 'NPM',
  pypi: 'PyPI',
  cargo: 'crates.io',
  maven: 'Maven',
  go: 'Go',
};

/**
 * Returns the name that citations use for the source of a package: `NPM: react`, `PyPI: requests`.
 */
export function packageSourceName({
  ecosystem,
  name,
}: Pick<PackageVersion, 'ecosystem' | 'name'>): string {
  return `${ECOSYSTEM_NAMES[ecosystem]}: ${name}`;
}

/** Returns the package whose source has a name; undefined for another name. */
export function packageOfSource(
  sourceName: string,
): Pick<PackageVersion, 'ecosystem' | 'name'> | undefined {
  const ecosystem = ECOSYSTEMS.find((each) => sourceName.startsWith(`${ECOSYSTEM_NAMES[each]}: `));
  if (ecosystem === undefined) return undefined;
  return { ecosystem, name: sourceName.slice(ECOSYSTEM_NAMES[ecosystem].length + 2) };
}

/**
 * The package URL (purl) of a release: `pkg:npm/%40nestjs/core@11.0.1`,
 * `pkg:maven/com.google.guava/guava@33.0.0-jre`.
 */
export function packageUrl({ ecosystem, name, version }: PackageVersion): string {
  const type = ecosystem === 'go' ? 'golang' : ecosystem;
  const parts = (ecosystem === 'maven' ? name.replace(':', '/') : name)
    .split('/')
    .map(encodeURIComponent);
  return `pkg:${type}/${parts.join('/')}@${encodeURIComponent(version)}`;
}
