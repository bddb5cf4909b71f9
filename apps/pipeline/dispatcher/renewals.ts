import type { EventStore } from '#event-store';
import { sleep, type Logger } from '#platform';

import type { Ledger } from './ledger.js';

const RESTART_PAUSE_MS = 1_000;

/** Follows JobProgressed from now on, which renews leases. What it misses only makes the supervisor look into the stream. */
export async function followRenewals(
  store: EventStore,
  ledger: Ledger,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const after = (await store.head()) ?? 'start';
      for await (const delivery of store.subscribe({ after, filter: { types: ['JobProgressed'] }, signal })) {
        if (delivery.kind !== 'event') continue;
        ledger.renewed(delivery.event.stream.slice('job-'.length), delivery.event.revision);
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'Lease renewals cannot be followed for the moment');
      await sleep(RESTART_PAUSE_MS, signal);
    }
  }
}
