import type { ManifestFile } from '../manifests/manifest.types.js';

/** A repository that a search on the host found, as the host describes it. */
export interface RepositoryCandidate {
  /** `owner/name` in the host's spelling. */
  readonly repo: string;
  /** Untrusted text; null if there is none. */
  readonly description: string | null;
  readonly stars: number;
  readonly isArchived: boolean;
  readonly isFork: boolean;
  /** Size on the host in KiB. */
  readonly sizeKib: number;
  readonly defaultBranch: string;
}

/** A candidate with its merged rank. */
export interface RankedRepository extends RepositoryCandidate {
  /** Reciprocal rank over all lists, lower for archived repositories and forks. */
  readonly rank: number;
}

/** A repository whose content the job may search. */
export interface AttachedRepository {
  /** `owner/name`. */
  readonly repo: string;
  /** Manifests of the repository at its commit; see `isManifestPath`. */
  readonly manifests: readonly ManifestFile[];
}
