/** A file that names a package and its requirements. */
export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

/** Ecosystems whose manifests are read. */
export type ManifestEcosystem = 'npm' | 'pypi' | 'go' | 'cargo' | 'maven';

/** The names in one manifest. */
export interface Manifest {
  readonly ecosystem: ManifestEcosystem;
  /** Names under which other repositories import this one; empty if the manifest names none. */
  readonly provides: readonly string[];
  /** Names of required packages; at most 500. */
  readonly requires: readonly string[];
}
