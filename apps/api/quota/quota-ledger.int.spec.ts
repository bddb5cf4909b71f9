import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { isFootnoteError, type QuotaLimit, type QuotaMetric, type RecordedEvent } from '#contracts';
import { type EventStore, openSqliteEventStore, type SqliteEventStore } from '#event-store';
import { type Clock, revisionOf, silentLogger, systemClock } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import type { Caller } from '../auth/caller.js';
import { PrepaidWork } from './prepaid-work.js';
import { type Charge, type MeteredRequest, QuotaLedger, quotaStream } from './quota-ledger.js';

const DAY = 86_400_000;

function order(tenantId: string, metric: QuotaMetric = 'search'): MeteredRequest {
  const http = { request_id: 'request', method: 'POST', path: '/search' };
  const actor = { type: 'api_key', id: 'key' } as const;
  const caller = { tenantId, actor, requestId: 'request', http } as unknown as Caller;
  return { caller, metric };
}

const charge = (at: number, continued: readonly string[] = []): Charge => ({
  at,
  consumption: async () => ({ continued }),
});

/** A clock that shows the time that the test sets. */
class SetClock implements Clock {
  time = Date.UTC(2026, 0, 17);
  now = () => new Date(this.time);
  monotonic = () => systemClock.monotonic() + this.time;
}

/** A clock whose wall time steps while its monotonic time goes on. */
class SteppedClock implements Clock {
  private wall = Date.UTC(2026, 0, 17);
  private passed = 0;
  now = () => new Date(this.wall + this.passed);
  monotonic = () => systemClock.monotonic() + this.passed;

  step(milliseconds: number): void {
    this.wall += milliseconds;
  }

  pass(milliseconds: number): void {
    this.passed += milliseconds;
  }
}

/** Outcomes of pieces of work, by their codes. */
async function outcomes(work: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(work);
  const refused = settled.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  for (const error of refused) if (!isFootnoteError(error, 'quota_exceeded')) throw error;
  return { answered: settled.length - refused.length, refused: refused.length };
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

  const ledger = (limit: number | null, clock: Clock = systemClock, log: EventStore = store) => {
    const limits: QuotaLimit[] = (['search', 'chat', 'rover'] as const).flatMap((metric) =>
      limit === null ? [] : [{ metric, window: 'day', limit }],
    );
    return new QuotaLedger(log, clock, { of: () => ({ name: 'test', limits }) } as never);
  };
  const metered = async (
    of: QuotaLedger,
    what: MeteredRequest,
    clock: Clock = systemClock,
    work?: () => Promise<unknown>,
  ) => {
    const reservation = await of.reserve(what);
    try {
      await work?.();
      return await reservation.charge(charge(clock.now().getTime()));
    } finally {
      reservation.release();
    }
  };
  const eventsOf = async (tenantId: string, metric: QuotaMetric = 'search') => {
    const events: RecordedEvent[] = [];
    for await (const event of store.read(quotaStream(tenantId, metric))) events.push(event);
    return events;
  };

  it.each([3_600_000, DAY])(
    'count consumptions for one window at most after a clock was ahead by %d ms',
    async (step) => {
      const clock = new SteppedClock();
      const what = order(`tenant-ahead-${step}`);
      const ledgers = [ledger(3, clock), ledger(3, clock)];
      const [first, second] = ledgers as [QuotaLedger, QuotaLedger];
      clock.step(step);
      for (let count = 0; count < 3; count += 1) await metered(first, what, clock);
      clock.step(-step);
      for (const each of ledgers) {
        expect(await outcomes([metered(each, what, clock)])).toEqual({ answered: 0, refused: 1 });
      }
      clock.pass(DAY + 1);
      expect(await outcomes([metered(second, what, clock)])).toEqual({ answered: 1, refused: 0 });
      expect((await first.usage(what))[0]).toMatchObject({ used: 1, remaining: 2 });
    },
  );

  it('charge one stream at once, each charge stored once, at the place that its id names', async () => {
    const ledgers = [ledger(10_000), ledger(null)];
    const ids: string[] = [];
    await Promise.all(
      ledgers.flatMap((each) =>
        Array.from({ length: 16 }, async (_, client) => {
          const parts = client % 3 === 0 ? ['b', 'c'] : [];
          for (let turn = 0; turn < 6; turn += 1) {
            ids.push((await each.charge(order('both'), charge(Date.now(), parts))).id);
          }
        }),
      ),
    );
    const events = await eventsOf('both');
    const consumed = events.filter(({ type }) => type === 'QuotaConsumed');
    expect(consumed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(2 * 16 * 6);
    for (const { id, revision } of consumed) expect(revisionOf(id)).toBe(revision);
    const continued = events.filter(({ type }) => type === 'ReceiptContinued');
    expect(continued).toHaveLength(2 * 6 * 6 * 2);
    for (const { revision, data } of continued) {
      expect(events[Number(revision) - Number(data['part'])]?.type).toBe('QuotaConsumed');
    }
  }, 30_000);

  it.each([1, 2])(
    'answer exactly 100 of 200 at once against a limit of 100: %i of them',
    async (processes) => {
      const tenant = `exact-${processes}`;
      const ledgers = Array.from({ length: processes }, () => ledger(100));
      let begun = 0;
      const work = () => {
        begun += 1;
        return new Promise((resolve) => setImmediate(resolve));
      };
      const all = Array.from({ length: 200 }, (_, index) => {
        const each = ledgers[index % processes];
        if (!each) throw new Error('There is no ledger');
        return metered(each, order(tenant), systemClock, work);
      });
      expect(await outcomes(all)).toEqual({ answered: 100, refused: 100 });
      expect(begun).toBeLessThanOrEqual(processes * 100);
      expect(await eventsOf(tenant)).toHaveLength(100);
      for (const each of ledgers) {
        expect(await each.usage(order(tenant))).toMatchObject([{ used: 100, remaining: 0 }]);
      }
    },
  );

  it('know at a cold start what others consumed, and keep the window to the millisecond', async () => {
    const clock = new SetClock();
    const [start, first] = [clock.time, ledger(3, clock)];
    for (const at of [start, start + 1_000, start + 2_000]) {
      clock.time = at;
      await metered(first, order('cold'), clock);
    }
    const second = ledger(3, clock);
    clock.time = start + DAY - 1;
    expect(await outcomes([metered(second, order('cold'), clock)])).toMatchObject({ refused: 1 });
    clock.time = start + DAY;
    expect(await outcomes([1, 2].map(() => metered(second, order('cold'), clock)))).toEqual({
      answered: 1,
      refused: 1,
    });
    expect(await second.usage(order('cold'))).toMatchObject([
      { used: 3, remaining: 0, resetsAt: start + 1_000 + DAY },
    ]);
  });

  it('read at a cold start no further back than the longest window, and nothing where there is no limit', async () => {
    const clock = new SetClock();
    const early = ledger(null, clock);
    for (let index = 0; index < 50; index += 1) await metered(early, order('old'), clock);
    clock.time += 2 * DAY;
    await metered(early, order('old'), clock);
    let read = 0;
    const counting = Object.create(store) as EventStore;
    counting.read = async function* (...parameters: Parameters<EventStore['read']>) {
      for await (const event of store.read(...parameters)) {
        read += 1;
        yield event;
      }
    };
    expect(await ledger(2, clock, counting).usage(order('old'))).toMatchObject([{ used: 1 }]);
    expect(read).toBe(2);
    read = 0;
    await metered(ledger(null, clock, counting), order('old'), clock);
    expect(read).toBe(1);
  });

  it('count nothing for work that fails, and let the next one have what was kept for it', async () => {
    const only = ledger(1);
    const failing = () => Promise.reject(new Error('no index'));
    await expect(metered(only, order('fails'), systemClock, failing)).rejects.toThrow('no index');
    expect(await eventsOf('fails')).toEqual([]);
    await metered(only, order('fails'));
    expect(await outcomes([metered(only, order('fails'))])).toEqual({ answered: 0, refused: 1 });
  });

  it('refuse, before the work begins, what has no room next to work under way', async () => {
    const only = ledger(1);
    const kept = await only.reserve(order('kept'));
    await expect(only.reserve(order('kept'))).rejects.toMatchObject({
      code: 'quota_exceeded',
      retryAfter: 86_400,
    });
    kept.release();
    kept.release();
    const again = await only.reserve(order('kept'));
    await expect(only.reserve(order('kept'))).rejects.toMatchObject({ code: 'quota_exceeded' });
    again.release();
  });

  it('show what is left after each charge', async () => {
    const only = ledger(2);
    const { rateLimit } = await metered(only, order('left'));
    expect(rateLimit).toEqual({ limit: 2, remaining: 1, resetSeconds: 86_400 });
    expect((await metered(ledger(null), order('left'))).rateLimit).toBeNull();
  });

  describe('work that is charged first', () => {
    const costly = (limit: number, clock: Clock = systemClock) =>
      new PrepaidWork(ledger(limit, clock), clock, silentLogger);
    const chat = (tenant: string) => order(tenant, 'chat');

    it('is charged before it begins, and gets it back when it fails', async () => {
      const work = costly(1);
      const seen: number[] = [];
      const failing = work.chargeFirst(chat('costly'), 'command-1', async ({ rateLimit }) => {
        seen.push((await eventsOf('costly', 'chat')).length, rateLimit?.remaining ?? -1);
        throw new Error('the model is away');
      });
      await expect(failing).rejects.toThrow('the model is away');
      expect(seen).toEqual([1, 0]);
      const events = await eventsOf('costly', 'chat');
      expect(events.map(({ type }) => type)).toEqual(['QuotaConsumed', 'QuotaReturned']);
      expect(events[1]?.data['consumption_id']).toBe(events[0]?.id);
      expect(
        await work.chargeFirst(chat('costly'), 'command-1', async ({ repeated }) => repeated),
      ).toBe(false);
      await expect(
        work.chargeFirst(chat('costly'), 'command-2', async () => 1),
      ).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
      expect(await eventsOf('costly', 'chat')).toHaveLength(3);
    });

    it('is charged once, also when its process died after the charge and another repeats the command', async () => {
      const first = await costly(5).charge(chat('killed'), 'command');
      const again = await costly(5).charge(chat('killed'), 'command');
      expect(again).toMatchObject({ consumptionId: first.consumptionId, repeated: true });
      const twins = await Promise.all(
        [costly(5), costly(5)].map((each) => each.charge(chat('killed'), 'other')),
      );
      expect(new Set(twins.map(({ consumptionId }) => consumptionId)).size).toBe(1);
      expect(await eventsOf('killed', 'chat')).toHaveLength(2);
    });

    it('returns a charge once, also when several report the failure several times', async () => {
      const [one, other] = [costly(5), costly(5)];
      const { consumptionId } = await one.charge(chat('back'), 'command');
      await Promise.all(
        [one, other, one].map((each) => each.giveBack(chat('back'), consumptionId)),
      );
      await other.giveBack(chat('back'), 'unknown');
      expect((await eventsOf('back', 'chat')).map(({ type }) => type)).toEqual([
        'QuotaConsumed',
        'QuotaReturned',
      ]);
    });

    it('lets another process use a returned amount within a second', async () => {
      const clock = new SetClock();
      const [one, other] = [costly(1, clock), costly(1, clock)];
      const { consumptionId } = await one.charge(chat('elsewhere'), 'command');
      const elsewhere = ledger(1, clock);
      await expect(elsewhere.reserve(chat('elsewhere'))).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
      await other.giveBack(chat('elsewhere'), consumptionId);
      clock.time += 1_001;
      (await elsewhere.reserve(chat('elsewhere'))).release();
    });
  });
});
