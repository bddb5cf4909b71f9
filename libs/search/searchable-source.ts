import type { Audience, Position, PriorityKind } from '#contracts';
import type { LiveSource } from '#search-index';

import type { RepositoryPages } from './repository-pages.js';

/** A source that searches of its audience see, at the generation they see. */
export interface SearchableSource extends LiveSource {
  readonly name: string;
  readonly audience: Audience;
  readonly kind: PriorityKind;
  readonly versionRef: string;
  /** Web addresses of its files, if the host of the repository is known. */
  readonly pages: RepositoryPages | null;
  /** End of the sync that published or confirmed the generation, milliseconds since the epoch. */
  readonly syncedAt: number;
}

/** The live sources and the position of this state. */
export interface LiveSourcesAt {
  readonly sources: readonly SearchableSource[];
  /**
   * The last event that changed it, or a later position up to which nothing did; null while nothing
   * ever was live.
   */
  readonly at: Position | null;
}

/** The live sources of every tenant, for whatever audience. */
export interface LiveSourceLookup {
  /** Returns everything live of a tenant. */
  of(tenantId: string): LiveSourcesAt;
  /** Returns one live source of a tenant. */
  one(tenantId: string, sourceId: string): SearchableSource | undefined;
}
