import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { EVENT_STORE, type EventStore } from '#event-store';
import { LOGGER, type Logger } from '#platform';

import { InMemoryProjection, type InMemoryProjectionOptions } from './in-memory-projection.js';

/**
 * Every projection that this process keeps in memory. All start with the application, without being waited for, and end
 * with it.
 */
@Injectable()
export class InMemoryProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly kept: InMemoryProjection[] = [];

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get all(): readonly InMemoryProjection[] {
    return this.kept;
  }

  /** Adds one; for the constructor of whatever owns the state. */
  keep(options: Omit<InMemoryProjectionOptions, 'store' | 'logger'>): InMemoryProjection {
    const projection = new InMemoryProjection({ ...options, store: this.store, logger: this.logger });
    this.kept.push(projection);
    return projection;
  }

  onApplicationBootstrap(): void {
    for (const projection of this.kept) projection.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.kept.map((projection) => projection.stop()));
  }
}
