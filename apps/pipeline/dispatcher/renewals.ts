import { type EventStore, followLog, oneByOne } from '#event-store';
import type { Logger } from '#platform';

import type { Ledger } from './ledger.js';

const PAUSES = { firstMs: 1_000, longestMs: 1_000 };

/**
 * Follows JobProgressed from now on, which renews leases. What it misses only makes the supervisor
 * look into the stream.
 */
export function followRenewals(
  store: EventStore,
  ledger: Ledger,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  return followLog({
    store,
    filter: { types: ['JobProgressed'] },
    signal,
    from: async () => (await store.head()) ?? 'start',
    take: oneByOne((delivery) => {
      if (delivery.kind !== 'event') return;
      ledger.renewed(delivery.event.stream.slice('job-'.length), delivery.event.revision);
    }),
    backOff: PAUSES,
    onFailure: (error) =>
      logger.warn({ err: error }, 'Lease renewals cannot be followed for the moment'),
  });
}
