import type { MessagePort } from 'node:worker_threads';

import type { PackedTrigrams } from '#search-index/pack/trigrams/pack-trigrams';

/** Longer than the trigrams of the largest pack take. */
const WAIT_MS = 60_000;

/**
 * Waits for the trigrams that another thread computes, and closes the port.
 * @returns null if there are none: the other thread failed, its sender closed the port, or nothing
 * arrived within `waitMs`. The caller then computes them.
 */
export async function receiveTrigrams(
  port: MessagePort,
  waitMs = WAIT_MS,
): Promise<PackedTrigrams | null> {
  const { promise, resolve } = Promise.withResolvers<PackedTrigrams | null>();
  const timer = setTimeout(() => resolve(null), waitMs);
  port.once('message', (message: PackedTrigrams | null) => resolve(message));
  port.once('messageerror', () => resolve(null));
  port.once('close', () => resolve(null));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    port.close();
  }
}
