import type { ManifestEcosystem } from './manifest.types.js';

const ECOSYSTEMS: readonly (readonly [RegExp, ManifestEcosystem])[] = [
  [/(?:^|\/)package\.json$/, 'npm'],
  [/(?:^|\/)pyproject\.toml$/, 'pypi'],
  [/(?:^|\/)go\.mod$/, 'go'],
  [/(?:^|\/)Cargo\.toml$/, 'cargo'],
  [/(?:^|\/)pom\.xml$/, 'maven'],
];
/** Folders whose manifests describe samples and copies. */
const ASIDE = /(?:^|\/)(?:node_modules|vendor|third_party|fixtures|testdata|examples?)\//;
const MOST_FOLDERS = 3;

/** Returns whether a repository's manifest is read: a known name, at most three folders deep. */
export function isManifestPath(path: string): boolean {
  return (
    ecosystemOf(path) !== undefined &&
    !ASIDE.test(path) &&
    path.split('/').length <= MOST_FOLDERS + 1
  );
}

export function ecosystemOf(path: string): ManifestEcosystem | undefined {
  return ECOSYSTEMS.find(([pattern]) => pattern.test(path))?.[1];
}
