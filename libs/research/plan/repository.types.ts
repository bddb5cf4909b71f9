import type { HostedRepository } from '#contracts';

import type { ManifestFile } from '../manifests/manifest.types.js';

/** A candidate with its merged rank. */
export interface RankedRepository extends HostedRepository {
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
