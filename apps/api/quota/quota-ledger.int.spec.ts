import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RecordedEvent } from '#contracts';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { revisionOf, systemClock } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import type { Caller } from '../auth/caller.js';
import { QuotaLedger, quotaStream, type Charge } from './quota-ledger.js';

const CLIENTS = 16;
const TURNS = 6;

function charge(tenantId: string, continued: readonly string[] = []): Charge {
  const http = { request_id: 'request', method: 'POST', path: '/search' };
  const actor = { type: 'api_key', id: 'key' } as const;
  const caller = { tenantId, actor, requestId: 'request', http } as unknown as Caller;
  return { caller, metric: 'search', at: Date.now(), consumption: async () => ({ amount: 1, continued }) };
}

describe('the quota ledgers of two processes', () => {
  const folder = tempDir();
  let store: SqliteEventStore;
  beforeAll(async () => {
    const fail = (error: unknown) => {
      throw error;
    };
    store = await openSqliteEventStore({ directory: folder.path, onFatal: fail });
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  it('charge one stream at once, each charge stored once, at the place that its id tells', async () => {
    const ledgers = [new QuotaLedger(store, systemClock), new QuotaLedger(store, systemClock)];
    const ids: string[] = [];
    await Promise.all(
      ledgers.flatMap((ledger) =>
        Array.from({ length: CLIENTS }, async (_, client) => {
          const parts = client % 3 === 0 ? ['b', 'c'] : [];
          for (let turn = 0; turn < TURNS; turn += 1) ids.push((await ledger.charge(charge('both', parts))).id);
        }),
      ),
    );
    const events: RecordedEvent[] = [];
    for await (const event of store.read(quotaStream('both', 'search'))) events.push(event);
    const consumed = events.filter(({ type }) => type === 'QuotaConsumed');
    expect(consumed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(2 * CLIENTS * TURNS);
    for (const { id, revision } of consumed) expect(revisionOf(id)).toBe(revision);
    const continued = events.filter(({ type }) => type === 'ReceiptContinued');
    expect(continued).toHaveLength(2 * 6 * TURNS * 2);
    for (const { revision, data } of continued) {
      expect(events[Number(revision) - Number(data['part'])]?.type).toBe('QuotaConsumed');
    }
  }, 30_000);
});
