import type { Actor } from '#contracts';
import type { EventStore, RecordedDomainEvent } from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';

import { removeSource } from '../erasure/remove-source.js';
import { foldState } from '../reactor/fold-state.js';
import type { Reactor, ReactorRun } from '../reactor/reactor.types.js';
import { RESEARCH_CACHE_TYPES, type ResearchBounds, ResearchCache } from './research-cache.js';

export interface ResearchRetentionDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: ResearchBounds;
}

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'rover-cache' });
const REMOVALS_PER_RUN = 10;

/**
 * Removes temporary sources that no open job uses: unused ones, and the least recently used while
 * all of them exceed the bound. The removal of the source removes its content.
 */
export class ResearchRetention implements Reactor {
  readonly name = 'research-retention';
  readonly eventTypes = RESEARCH_CACHE_TYPES;
  readonly intervalMs = 1_000;
  private readonly cache = new ResearchCache();
  readonly state = foldState(1, this.cache);

  constructor(private readonly dependencies: ResearchRetentionDependencies) {}

  apply(event: RecordedDomainEvent): boolean {
    this.cache.apply(event);
    return false;
  }

  /** Removes sources that are due by the wall clock. */
  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const { clock, bounds, logger } = this.dependencies;
    const due = this.cache.due(clock.now().getTime(), bounds);
    for (const { sourceId, tenantId } of due.slice(0, REMOVALS_PER_RUN)) {
      if (signal.aborted) return;
      const id = uuidv5('remove-research-source', sourceId);
      const cause = { tenantId, correlationId: id, causationId: id, actor: ACTOR };
      await removeSource(this.dependencies, sourceId, cause);
      logger.info(
        { source_id: sourceId, tenant_id: tenantId },
        'reactor research-retention: removed a repository that no rover job uses',
      );
    }
  }
}
