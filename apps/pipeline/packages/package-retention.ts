import type { Actor, DomainEvent } from '#contracts';
import { packageDecider, sourceDecider } from '#domain';
import { type EventStore, handleCommand, type RecordedDomainEvent } from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';

import { systemContext } from '../log/commands.js';
import { foldState } from '../reactor/fold-state.js';
import type { Reactor, ReactorRun } from '../reactor/reactor.types.js';
import {
  PACKAGE_CACHE_TYPES,
  PackageCache,
  type PackageCacheBounds,
  type PackageToDrop,
} from './package-cache.js';

export interface PackageRetentionDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: PackageCacheBounds;
}

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'package-cache' });
const DROPS_PER_RUN = 10;

/**
 * Drops packages that no tenant links: unused ones, and the least recently used while all of them
 * exceed the bound. Two appends in a fixed order: PackageDropped, then the removal of the source,
 * which removes the content; a missing second one is repeated. The first is decided on the folded
 * revision: a package that is linked or used in between has a newer one and stays.
 */
export class PackageRetention implements Reactor {
  readonly name = 'package-retention';
  readonly eventTypes = PACKAGE_CACHE_TYPES;
  readonly intervalMs = 1_000;
  private readonly cache = new PackageCache();
  readonly state = foldState(1, this.cache);

  constructor(private readonly dependencies: PackageRetentionDependencies) {}

  apply(event: RecordedDomainEvent): boolean {
    this.cache.apply(event);
    return false;
  }

  /** Drops packages that are due by the wall clock. */
  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const { clock, bounds } = this.dependencies;
    for (const [sourceId, ownerTenantId] of this.cache.removals) {
      if (signal.aborted) return;
      await this.removeSource(sourceId, ownerTenantId);
    }
    const due = this.cache.due(clock.now().getTime(), bounds);
    for (const each of due.slice(0, DROPS_PER_RUN)) {
      if (signal.aborted) return;
      await this.drop(each);
    }
  }

  private async drop(due: PackageToDrop): Promise<void> {
    const { packageId, ownerTenantId, sourceId, reason, revision } = due;
    const { events } = await this.command(
      ownerTenantId,
      uuidv5('drop-package', sourceId),
      (common) =>
        handleCommand({
          ...common,
          decider: packageDecider,
          stream: `package-${packageId}`,
          decide: (state, at) => {
            if (at !== revision) return [];
            return packageDecider.decide(
              { type: 'DropPackage', data: { source_id: sourceId, reason } },
              state,
            );
          },
        }),
    );
    if (events.length === 0) return;
    this.dependencies.logger.info(
      { package_id: packageId, reason },
      'reactor package-retention: dropped a package without links',
    );
    await this.removeSource(sourceId, ownerTenantId);
  }

  private async removeSource(sourceId: string, ownerTenantId: string): Promise<void> {
    await this.command(ownerTenantId, uuidv5('remove-package-source', sourceId), (common) =>
      handleCommand({
        ...common,
        decider: sourceDecider,
        stream: `source-${sourceId}`,
        decide: (state) =>
          state.status === 'registered'
            ? sourceDecider.decide({ type: 'RemoveSource', data: {} }, state)
            : [],
      }),
    );
    this.cache.removals.delete(sourceId);
  }

  private command<Result>(
    tenantId: string,
    commandId: string,
    run: (common: CommonCommand) => Promise<Result>,
  ): Promise<Result> {
    const { store, clock } = this.dependencies;
    const cause = { tenantId, correlationId: commandId, causationId: commandId, actor: ACTOR };
    return run({ store, clock, expected: 'any', context: systemContext(commandId, cause, clock) });
  }
}

type CommonCommand = Pick<
  Parameters<typeof handleCommand<unknown, DomainEvent>>[0],
  'store' | 'clock' | 'expected' | 'context'
>;
