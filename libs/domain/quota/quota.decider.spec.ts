import { describe, expect, it } from '@jest/globals';

import { isFootnoteError, type QuotaLimit } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { countOf, withoutOlder } from './consumptions.js';
import { type ConsumeQuota, type PlacedQuotaEvent, quotaDecider } from './quota.decider.js';
import { tightest, usageOf } from './quota-windows.js';

const { given } = specify(quotaDecider);
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 17, 10);
const hourly = (limit: number): QuotaLimit => ({ metric: 'search', window: 'hour', limit });
const daily = (limit: number): QuotaLimit => ({ metric: 'search', window: 'day', limit });

const consumed = (id: string, at: number, amount = 1): PlacedQuotaEvent => ({
  type: 'QuotaConsumed',
  data: { metric: 'search', amount },
  id,
  at,
});
const returned = (consumption_id: string): PlacedQuotaEvent => ({
  type: 'QuotaReturned',
  data: { metric: 'search', amount: 1, consumption_id },
});
const consume = (
  limits: readonly QuotaLimit[],
  data: Partial<ConsumeQuota['data']> = {},
): ConsumeQuota => ({
  type: 'ConsumeQuota',
  data: { metric: 'search', amount: 1, at: NOW, limits, ...data },
});
const accepted = { type: 'QuotaConsumed' as const, data: { metric: 'search' as const, amount: 1 } };

describe('quota', () => {
  it('accepts a consumption, and continues a long receipt in later events', () => {
    given(consumed('a', NOW))
      .when(consume([], { continued: ['b', 'c'] }))
      .then(
        accepted,
        { type: 'ReceiptContinued', data: { part: 1, sealed: 'b' } },
        { type: 'ReceiptContinued', data: { part: 2, sealed: 'c' } },
      );
  });

  it('accepts up to the limit and rejects the next one', () => {
    given(consumed('a', NOW - 2))
      .when(consume([hourly(2)]))
      .then(accepted);
    given(consumed('a', NOW - 2), consumed('b', NOW - 1))
      .when(consume([hourly(2)]))
      .thenRefused('quota_exceeded');
    given(consumed('a', NOW, 2))
      .when(consume([hourly(4)], { amount: 3 }))
      .thenRefused('quota_exceeded');
    given()
      .when(consume([hourly(0)]))
      .thenRefused('quota_exceeded');
  });

  it('releases a consumption exactly when its window has passed', () => {
    given(consumed('a', NOW - HOUR))
      .when(consume([hourly(1)]))
      .then(accepted);
    given(consumed('a', NOW - HOUR + 1))
      .when(consume([hourly(1)]))
      .thenRefused('quota_exceeded');
  });

  it('applies every window, and reports when the last of them has enough left', () => {
    const history = [consumed('a', NOW - 23 * HOUR), consumed('b', NOW - 30 * 60_000)];
    given(...history)
      .when(consume([hourly(2), daily(3)]))
      .then(accepted);
    const refusal = refusalOf(history, consume([hourly(1), daily(2)]));
    expect(refusal.retryAfter).toBe(3_600);
    expect(refusal.rateLimit).toEqual({ limit: 2, remaining: 0, resetSeconds: 3_600 });
    expect(refusal.details).toEqual([
      { field: 'search', message: 'is limited to 2 a day, of which 2 are used' },
    ]);
  });

  it('counts consumptions in any order of writing, and those that another clock put into the future', () => {
    const history = [
      consumed('a', NOW + 5_000),
      consumed('b', NOW - HOUR - 1),
      consumed('c', NOW - 10),
    ];
    given(...history)
      .when(consume([hourly(2)]))
      .thenRefused('quota_exceeded');
    given(...history)
      .when(consume([hourly(3)]))
      .then(accepted);
  });

  it('never exceeds the limit in any window, whatever the order and the clocks', () => {
    const random = pseudoRandom(7);
    const limits = [hourly(20)];
    let state = quotaDecider.initial;
    const times: number[] = [];
    for (let at = NOW, count = 0; count < 3_000; count += 1) {
      at += random() * 60_000;
      const own = Math.round(at - random() * 20_000);
      try {
        quotaDecider.decide(consume(limits, { at: own }), state);
      } catch {
        continue;
      }
      times.push(own);
      state = quotaDecider.evolve(state, consumed(String(count), own));
    }
    times.sort((a, b) => a - b);
    expect(times.length).toBeGreaterThan(400);
    for (const [index, time] of times.entries()) {
      expect(time - (times[index - 20] ?? -Infinity)).toBeGreaterThanOrEqual(HOUR);
    }
  });

  it('returns what was consumed, once, and ignores unknown consumptions', () => {
    const give = (consumption_id: string) => ({
      type: 'ReturnQuota' as const,
      data: { metric: 'search' as const, consumption_id },
    });
    given(consumed('a', NOW)).when(give('a')).then(returned('a'));
    given(consumed('a', NOW), returned('a')).when(give('a')).thenNothingHappened();
    given(consumed('a', NOW)).when(give('b')).thenNothingHappened();
    given(consumed('a', NOW), returned('a'))
      .when(consume([hourly(1)]))
      .then(accepted);
  });

  it('reports usage, the amount left, the next release, and the tightest limit for the headers', () => {
    const { consumptions } = given(
      consumed('a', NOW - 1_800_500),
      consumed('b', NOW - 500),
    ).thenState();
    const usage = [hourly(3), daily(2)].map((limit) => usageOf(limit, consumptions, NOW));
    expect(usage).toEqual([
      { ...hourly(3), used: 2, remaining: 1, resetsAt: NOW + 1_799_500 },
      { ...daily(2), used: 2, remaining: 0, resetsAt: NOW + 24 * HOUR - 1_800_500 },
    ]);
    expect(tightest(usage, NOW)).toEqual({ limit: 2, remaining: 0, resetSeconds: 84_600 });
    expect(usageOf(hourly(1), quotaDecider.initial.consumptions, NOW)).toMatchObject({
      used: 0,
      resetsAt: null,
    });
  });

  it('returns the same sum over many blocks as one by one, and removes what is older than requested', () => {
    const random = pseudoRandom(3);
    const events = Array.from({ length: 2_000 }, (_, index) =>
      consumed(String(index), NOW - Math.floor(random() * 26 * HOUR), 1 + (index % 3)),
    );
    const { consumptions } = given(...events).thenState();
    for (const back of [0, 1, 59 * 60_000, HOUR, 23 * HOUR, 25 * HOUR]) {
      const since = NOW - back - HOUR;
      const inside = events.filter(({ at = 0 }) => at > since);
      const expected = inside.reduce(
        (sum, { data }) => sum + Number(Reflect.get(data, 'amount')),
        0,
      );
      expect(usageOf(hourly(1), consumptions, NOW - back).used).toBe(expected);
    }
    const kept = withoutOlder(consumptions, NOW - HOUR);
    expect(usageOf(hourly(1), kept, NOW)).toEqual(usageOf(hourly(1), consumptions, NOW));
    expect(countOf(kept)).toBeLessThan(500);
  });
});

function refusalOf(history: readonly PlacedQuotaEvent[], command: ConsumeQuota) {
  try {
    quotaDecider.decide(
      command,
      history.reduce((state, event) => quotaDecider.evolve(state, event), quotaDecider.initial),
    );
  } catch (error) {
    if (isFootnoteError(error)) return error;
  }
  throw new Error('The consumption was not rejected');
}

function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
