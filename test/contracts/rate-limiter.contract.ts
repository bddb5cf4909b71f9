import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { RateLimiter } from '#platform';

/** Limiters that share what they count, with a window of a second. */
export interface OpenedLimiters {
  readonly limiters: readonly RateLimiter[];
  /** Lets so much time pass. */
  readonly pass: (milliseconds: number) => Promise<unknown>;
  /** After a window and this, nothing of before counts. */
  readonly graceMs: number;
  readonly close: () => Promise<unknown>;
}

/**
 * The contract of every adapter of the rate limiter, with several limiters as in several processes.
 */
export function rateLimiterContract(name: string, open: () => Promise<OpenedLimiters>): void {
  describe(`rate limiter: ${name}`, () => {
    let opened: OpenedLimiters;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const take = async (subject: string, limit: number, at = 0) =>
      opened.limiters[at]?.take(subject, limit);
    const many = async (subject: string, limit: number, count: number) => {
      const { limiters } = opened;
      const decisions = await Promise.all(
        Array.from({ length: count }, (_, index) => take(subject, limit, index % limiters.length)),
      );
      return decisions.filter((decision) => decision?.allowed).length;
    };
    const windowPassed = () => opened.pass(1_000 + opened.graceMs);

    it('lets exactly the limit pass of many at once, and a subject not feel another', async () => {
      const [busy, other] = [randomUUID(), randomUUID()];
      expect(await many(busy, 100, 300)).toBe(100);
      const refused = await take(busy, 100);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused?.resetSeconds).toBeGreaterThanOrEqual(1);
      expect(await take(other, 100)).toMatchObject({ allowed: true });
      expect(await take(randomUUID(), 0)).toMatchObject({ allowed: false });
    });

    it('accepts requests again after others have left the window', async () => {
      const subject = randomUUID();
      expect(await many(subject, 5, 9)).toBe(5);
      await windowPassed();
      expect(await many(subject, 5, 9)).toBe(5);
    });

    it('does not count returned requests', async () => {
      const subject = randomUUID();
      for (let turn = 0; turn < 10; turn += 1) {
        expect(await take(subject, 1)).toMatchObject({ allowed: true });
        opened.limiters[0]?.giveBack(subject);
      }
      expect(await take(subject, 1)).toMatchObject({ allowed: true });
      expect(await take(subject, 1)).toMatchObject({ allowed: false });
    });

    it('returns the number of counted requests', async () => {
      const subject = randomUUID();
      expect(await opened.limiters[0]?.used(subject)).toEqual({ count: 0, resetSeconds: 0 });
      for (let turn = 0; turn < 3; turn += 1) await take(subject, 100);
      const used = await opened.limiters[0]?.used(subject);
      expect(used?.count).toBe(3);
      expect(used?.resetSeconds).toBeGreaterThanOrEqual(1);
      await windowPassed();
      expect(await opened.limiters[0]?.used(subject)).toEqual({ count: 0, resetSeconds: 0 });
    });

    it('never lets more than the limit pass in a window, however the requests fall', async () => {
      const subject = randomUUID();
      const passed: number[] = [];
      const started = performance.now();
      let virtual = 0;
      for (let turn = 0; turn < 120; turn += 1) {
        const at = turn % opened.limiters.length;
        if ((await take(subject, 7, at))?.allowed)
          passed.push(opened.graceMs > 1_000 ? performance.now() - started : virtual);
        const pause = (turn * 37) % 90;
        virtual += pause;
        await opened.pass(pause);
      }
      expect(passed.length).toBeGreaterThanOrEqual(7);
      for (const [index, time] of passed.entries()) {
        expect(time - (passed[index - 7] ?? -Infinity)).toBeGreaterThanOrEqual(999);
      }
    }, 30_000);
  });
}
