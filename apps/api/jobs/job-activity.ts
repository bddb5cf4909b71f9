import { EventEmitter } from 'node:events';

import { Inject, Injectable } from '@nestjs/common';

import { JOB_EVENT_TYPES, type RecordedEvent } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import { LOGGER, type Logger } from '#platform';

import { Follower } from '../in-memory/in-memory-projection.js';

const PREFIX = 'job-';

/** Tells which jobs have new events: one subscription for all streams that are open to clients. */
@Injectable()
export class JobActivityFollower {
  private readonly activity = new EventEmitter().setMaxListeners(0);
  readonly follower: Follower;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(LOGGER) logger: Logger) {
    this.follower = new Follower({
      name: 'job-activity',
      types: JOB_EVENT_TYPES,
      load: async () => (await store.head()) ?? 'start',
      apply: (event) => this.apply(event),
      store,
      logger,
    });
  }

  /** Calls back on every new event of a job. @returns a function that stops it. */
  onActivity(jobId: string, listener: () => void): () => void {
    this.activity.on(jobId, listener);
    return () => this.activity.off(jobId, listener);
  }

  private apply({ stream }: RecordedEvent): void {
    if (stream.startsWith(PREFIX)) this.activity.emit(stream.slice(PREFIX.length));
  }
}
