import type { EventStore } from '#event-store';

/** The operations of requests on a log. */
export interface LogWork {
  reads: number;
  appends: number;
}

/**
 * A log that counts reads and appends of requests. Subscriptions do not count. Neither does the use
 * of a key: it is recorded up to a second after the request, in the stream of the key.
 */
export function countingStore(log: EventStore, work: LogWork): EventStore {
  return {
    append: (...given) => {
      if (!isOfKey(given[0])) work.appends += 1;
      return log.append(...given);
    },
    read: (...given) => {
      if (!isOfKey(given[0])) work.reads += 1;
      return log.read(...given);
    },
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    reaches: (position) => log.reaches(position),
    deliveryVersion: log.deliveryVersion,
    close: () => log.close(),
  };
}

function isOfKey(stream: string): boolean {
  return stream.startsWith('apikey-');
}
