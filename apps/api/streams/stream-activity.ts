import { EventEmitter } from 'node:events';

import type { DomainEventType } from '#contracts';
import type { EventStore } from '#event-store';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import type { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/**
 * Reports which streams of one category have new events: one subscription for all streams that are
 * open to clients.
 */
export class StreamActivity {
  private readonly activity = new EventEmitter().setMaxListeners(0);
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    store: EventStore,
    options: {
      readonly name: string;
      readonly types: readonly DomainEventType[];
      /** Start of the stream names, such as `job-`. */
      readonly prefix: string;
    },
  ) {
    const { name, types, prefix } = options;
    this.projection = projections.keep({
      name,
      types,
      load: async () => (await store.head()) ?? 'start',
      apply: ({ stream }) => {
        if (stream.startsWith(prefix)) this.activity.emit(stream.slice(prefix.length));
      },
    });
  }

  /** Calls back on every new event of a stream. @returns a function that stops it. */
  onActivity(id: string, listener: () => void): () => void {
    this.activity.on(id, listener);
    return () => this.activity.off(id, listener);
  }
}
