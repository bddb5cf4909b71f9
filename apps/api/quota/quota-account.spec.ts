import { describe, expect, it } from '@jest/globals';

import type { Position, RecordedEvent } from '#contracts';
import { countOf } from '#domain';
import type { EventStore, ReadOptions } from '#event-store';
import { systemClock } from '#platform';
import { proposed } from '#test/support/sample-events';

import { QuotaAccount } from './quota-account.js';

const STREAM = 'quota-tenant-search';
const SEARCHES = 30_000;

/** A stream with a charge for each search of the last hours, which it gives without waiting. */
function storeOf(count: number): Pick<EventStore, 'read'> {
  const now = Date.now();
  const eventAt = (revision: number): RecordedEvent => ({
    ...proposed(
      { type: 'QuotaConsumed', data: { metric: 'search', amount: 1 } },
      { occurred_at: new Date(now - (count - revision)).toISOString() },
    ),
    stream: STREAM,
    revision: BigInt(revision),
    position: String(revision).padStart(8, '0') as Position,
    recordedAt: new Date(now),
  });
  return {
    async *read(_stream: string, { backwards, from }: ReadOptions = {}) {
      if (backwards) for (let at = count - 1; at >= 0; at -= 1) yield eventAt(at);
      else for (let at = Number(from ?? 0n); at < count; at += 1) yield eventAt(at);
    },
  };
}

describe('the account of a busy day', () => {
  it('is read in turns with other work, and counts each charge', async () => {
    const account = new QuotaAccount(storeOf(SEARCHES), STREAM, systemClock, () => true);
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await account.read()).toBe(BigInt(SEARCHES - 1));
    isRead = true;
    expect(turns).toBeGreaterThan(1);
    expect(account.size).toBe(SEARCHES);
    expect(countOf(account.state.consumptions)).toBe(SEARCHES);
    expect(account.known).toBe(BigInt(SEARCHES - 1));
  });
});
