import { FootnoteError } from '#contracts';
import type { EventStore } from '#event-store';

/** Longest search for sealed text, milliseconds; it reads the whole log if there is none. */
const WITHIN_MS = 600_000;

/**
 * Reports whether the log has text that was sealed with keys of the ring.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function hasSealedText(store: Pick<EventStore, 'subscribe'>): Promise<boolean> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  // Any sealed text about people comes after the key of their fingerprints.
  const filter = { types: ['FingerprintKeyMade', 'QuotaConsumed', 'ReceiptContinued'] };
  for await (const delivery of store.subscribe({ after: 'start', filter, signal })) {
    if (delivery.kind === 'caught-up') return false;
    if (delivery.kind === 'event' && isSealed(delivery.event.data)) return true;
  }
  throw new FootnoteError(
    'engine_unavailable',
    'The event log was not searched for sealed text in time',
  );
}

function isSealed(data: unknown): boolean {
  const { sealed, receipt } = data as { sealed?: unknown; receipt?: { request?: unknown } };
  return typeof sealed === 'string' || typeof receipt?.request === 'string';
}
