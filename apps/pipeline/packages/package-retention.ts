import type { Actor, DomainEvent } from '#contracts';
import { packageDecider, sourceDecider } from '#domain';
import {
  type EventStore,
  followLog,
  handleCommand,
  oneByOne,
  type SubscriptionDelivery,
  upcast,
} from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';

import { systemContext } from '../log/commands.js';
import {
  PackageShelf,
  type PackageToDrop,
  SHELF_TYPES,
  type ShelfBounds,
} from './package-shelf.js';

export interface PackageRetentionDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bounds: ShelfBounds;
  /** True while this process is the one that acts. */
  readonly leads: () => boolean;
}

const ACTOR: Actor = Object.freeze({ type: 'system', id: 'package-cache' });
const DROPS_A_LOOK = 10;
const RESTART_PAUSE = { firstMs: 1_000, longestMs: 1_000 };

/**
 * Drops packages that nobody links: what was not used for long, and what was used the longest ago
 * where all of them are too much. Two appends in a fixed order, PackageDropped and then the removal
 * of the source, which takes the content with it; the second is repeated where it is missing. The
 * first is decided on the package as it was folded: who links or uses it meanwhile has changed it,
 * and it stays.
 */
export class PackageRetention {
  private readonly shelf = new PackageShelf();
  private caughtUp = false;

  constructor(private readonly dependencies: PackageRetentionDependencies) {}

  /** Follows the log until the signal aborts; an engine that is away is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, logger } = this.dependencies;
    await followLog({
      store,
      filter: { types: SHELF_TYPES },
      signal,
      from: (reached) => reached ?? 'start',
      take: oneByOne((delivery) => this.take(delivery)),
      backOff: RESTART_PAUSE,
      onFailure: (error) =>
        logger.error({ err: error }, 'The package cache lost the log and tries again'),
    });
  }

  /**
   * Drops what is due by the wall clock; nothing before history is folded, or where another process
   * leads.
   */
  async look(): Promise<void> {
    const { clock, bounds, leads } = this.dependencies;
    if (!this.caughtUp || !leads()) return;
    for (const [sourceId, ownerTenantId] of this.shelf.removals)
      await this.removeSource(sourceId, ownerTenantId);
    for (const due of this.shelf.due(clock.now().getTime(), bounds).slice(0, DROPS_A_LOOK)) {
      if (!leads()) return;
      await this.drop(due);
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
      'A package that nobody links was dropped',
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
    this.shelf.removals.delete(sourceId);
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

  private take(delivery: SubscriptionDelivery): void {
    if (delivery.kind === 'caught-up') this.caughtUp = true;
    if (delivery.kind !== 'event') return;
    const read = upcast(delivery.event);
    if (read.kind === 'known') this.shelf.apply(read.event);
  }
}

type CommonCommand = Pick<
  Parameters<typeof handleCommand<unknown, DomainEvent>>[0],
  'store' | 'clock' | 'expected' | 'context'
>;
