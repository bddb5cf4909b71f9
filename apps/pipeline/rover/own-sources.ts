import { generationDecider, isDropped } from '#domain';
import { type EventStore, foldStream } from '#event-store';

import type { IndexedGenerations } from '../indexed-generations.js';
import type { OwnRepositories } from './own-repositories.js';
import type { ReadSource, Revision } from './research-sources.js';

export interface OwnSourcesDependencies {
  readonly repositories: Pick<OwnRepositories, 'at'>;
  readonly store: Pick<EventStore, 'read'>;
  readonly indexed: Pick<IndexedGenerations, 'state'>;
  /** URL of a repository of the git host. */
  readonly urlOf: (repo: string) => string;
}

/** The generation of a source that a job uses to its end. */
export type PinnedSource = Pick<ReadSource, 'sourceId' | 'generation'>;

/** Sources of a tenant that serve its rover jobs in place of temporary ones. */
export class OwnSources {
  constructor(private readonly dependencies: OwnSourcesDependencies) {}

  /**
   * Returns the tenant's own source that has a whole repository live at a commit, with all of its
   * content; null if there is none.
   */
  async find({ tenantId, repo, commit }: Revision): Promise<ReadSource | null> {
    const { repositories, indexed, urlOf } = this.dependencies;
    for (const own of repositories.at(tenantId, urlOf(repo), commit)) {
      const { sourceId, generation } = own;
      const state = await indexed.state(tenantId, sourceId, generation);
      const isComplete = state?.state === 'ready' && (state.message ?? null) === null;
      if (isComplete && (await this.serves(own))) return own;
    }
    return null;
  }

  /**
   * Returns whether a generation can still be searched: neither was it dropped nor its source
   * removed. A later generation does not matter. Reads the log, which says so before the index
   * drops anything: if it is true after a search, the search saw all of it.
   */
  async serves({ sourceId, generation }: PinnedSource): Promise<boolean> {
    const { store } = this.dependencies;
    for await (const newest of store.read(`source-${sourceId}`, { backwards: true, limit: 1 }))
      if (newest.type === 'SourceRemoved') return false;
    const stream = `generation-${sourceId}` as const;
    const { state } = await foldStream(store, generationDecider, stream);
    return !isDropped(state, generation);
  }
}
