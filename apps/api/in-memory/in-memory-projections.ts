import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';

import type { DomainEventType } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, LOGGER, type Logger } from '#platform';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { InMemoryProjection, type InMemoryProjectionOptions } from './in-memory-projection.js';
import { LogHeadPoller } from './log-head-poller.js';
import { rowProjection, type RowProjectionOptions } from './row-projection.js';

/**
 * Every in-memory projection of this process. All start with the application, which does not wait
 * for them, and end with it.
 */
@Injectable()
export class InMemoryProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly kept: InMemoryProjection[] = [];
  /** Verifies periodically that the in-memory state matches the log. */
  readonly pulse: LogHeadPoller;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(READ_MODEL) private readonly readModel: Pick<ApiReadModel, 'asOf'>,
  ) {
    this.pulse = new LogHeadPoller({ store, projections: () => this.kept, clock, logger });
  }

  get all(): readonly InMemoryProjection[] {
    return this.kept;
  }

  /** Adds one; for the constructor of whatever owns the state. */
  keep(options: Omit<InMemoryProjectionOptions, 'store' | 'clock' | 'logger'>): InMemoryProjection {
    const projection = new InMemoryProjection({
      ...options,
      store: this.store,
      clock: this.clock,
      logger: this.logger,
    });
    this.kept.push(projection);
    return projection;
  }

  /** Adds one that begins as rows of a read model. */
  followRows<Rows, Type extends DomainEventType>(
    options: RowProjectionOptions<Rows, Type>,
  ): InMemoryProjection {
    return this.keep(rowProjection(this.readModel, options));
  }

  onApplicationBootstrap(): void {
    for (const projection of this.kept) projection.start();
    this.pulse.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pulse.stop(), ...this.kept.map((projection) => projection.stop())]);
  }
}
