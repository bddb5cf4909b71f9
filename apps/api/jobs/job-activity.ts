import { EventEmitter } from 'node:events';

import { Inject, Injectable } from '@nestjs/common';

import { JOB_EVENT_TYPES, type RecordedEvent } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const PREFIX = 'job-';

/**
 * Reports which jobs have new events: one subscription for all streams that are open to clients.
 */
@Injectable()
export class JobActivity {
  private readonly activity = new EventEmitter().setMaxListeners(0);
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections, @Inject(EVENT_STORE) store: EventStore) {
    this.projection = projections.keep({
      name: 'job-activity',
      types: JOB_EVENT_TYPES,
      load: async () => (await store.head()) ?? 'start',
      apply: (event) => this.apply(event),
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
