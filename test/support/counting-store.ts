import type { EventStore } from '#event-store';

/** What requests did to a log. */
export interface LogWork {
  reads: number;
  appends: number;
}

/** A log that counts what is read from it and appended to it; subscriptions are no request's work. */
export function countingStore(log: EventStore, work: LogWork): EventStore {
  return {
    append: (...given) => {
      work.appends += 1;
      return log.append(...given);
    },
    read: (...given) => {
      work.reads += 1;
      return log.read(...given);
    },
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    reaches: (position) => log.reaches(position),
    deliveryVersion: log.deliveryVersion,
    close: () => log.close(),
  };
}
