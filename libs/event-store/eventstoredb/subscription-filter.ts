import { eventTypeFilter, excludeSystemEvents, streamNameFilter, type Filter } from '@eventstore/db-client';

import type { RecordedEvent } from '#contracts';

import type { SubscriptionFilter } from '../event-store.port.js';

/** Events that the server looks at together, and how many such looks there are to a checkpoint. */
const WINDOW = 500;
const CHECKPOINT_INTERVAL = 2;

type OnCheckpoint = NonNullable<Filter['checkpointReached']>;

/**
 * The part of a filter that the server takes: one expression, on types where there are any, else on categories. Without
 * either it still leaves out what the database writes for itself.
 */
export function serverFilter(filter: SubscriptionFilter | undefined, checkpointReached: OnCheckpoint): Filter {
  const common = { maxSearchWindow: WINDOW, checkpointInterval: CHECKPOINT_INTERVAL, checkpointReached };
  if (filter?.types) return eventTypeFilter({ ...common, regex: `^(${filter.types.map(escaped).join('|')})$` });
  if (filter?.categories) {
    return streamNameFilter({ ...common, prefixes: filter.categories.map((category) => `${category}-`) });
  }
  return excludeSystemEvents(common);
}

/** The whole filter, for what the server let through. */
export function passes(filter: SubscriptionFilter | undefined, event: RecordedEvent): boolean {
  if (filter?.types && !filter.types.includes(event.type)) return false;
  return !filter?.categories || filter.categories.includes(event.stream.slice(0, event.stream.indexOf('-')));
}

function escaped(type: string): string {
  return type.replace(/[^A-Za-z0-9_]/g, '\\$&');
}
