import { readLog } from '../read-log.js';
import type { ApiHarness } from './api-harness.js';

/**
 * Waits until the log has the first use of both tenants' keys. The API appends it in the
 * background, so a test that compares two answers would see it in the second alone.
 */
export async function keysUsed(api: ApiHarness): Promise<void> {
  for (const key of [api.keyA, api.keyB]) await api.call('GET', '/quota', undefined, { key });
  const deadline = Date.now() + 60_000;
  for (;;) {
    const uses = (await readLog(api.store)).filter(({ type }) => type === 'ApiKeyUsed');
    if (new Set(uses.map(({ stream }) => stream)).size >= 2) return;
    if (Date.now() > deadline) throw new Error('The uses of the keys were not appended');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
