import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { silentLogger, sleep, systemClock } from '#platform';
import {
  openPostgresRateLimiter,
  type PostgresRateLimiter,
} from '#platform/rate-limit/postgres/postgres-rate-limiter';

import { rateLimiterContract } from '../contracts/rate-limiter.contract.js';
import { describeWhen } from '../support/describe-when.js';
import { TcpProxy } from '../support/tcp-proxy.js';

describeWhen('DATABASE_URL', 'PostgreSQL', (url) => {
  const adminUrl = process.env['DATABASE_ADMIN_URL'] ?? url;
  const open = (windowSeconds: number, at = url, logger = silentLogger) =>
    openPostgresRateLimiter({ url: at, adminUrl, clock: systemClock, logger, windowSeconds });

  rateLimiterContract('PostgreSQL, two processes', async () => {
    const limiters = await Promise.all([open(1), open(1)]);
    return {
      limiters,
      pass: sleep,
      graceMs: 4_000,
      close: () => Promise.all(limiters.map((limiter) => limiter.close())),
    };
  });

  describe('limits in PostgreSQL', () => {
    let limiter: PostgresRateLimiter;
    beforeAll(async () => {
      limiter = await open(60);
    });
    afterAll(() => limiter.close());

    it('ask the server once for many requests', async () => {
      const subject = randomUUID();
      const before = limiter.questions;
      for (let turn = 0; turn < 1_000; turn += 1) {
        expect(await limiter.take(subject, 6_000)).toMatchObject({ allowed: true });
      }
      expect(limiter.questions - before).toBeLessThanOrEqual(14);
      const refused = randomUUID();
      const then = limiter.questions;
      for (let turn = 0; turn < 1_000; turn += 1) await limiter.take(refused, 1);
      expect(limiter.questions - then).toBeLessThanOrEqual(3);
    });

    it('count in one process what another leased and did not use, until it says so', async () => {
      const other = await open(60);
      try {
        const subject = randomUUID();
        for (let turn = 0; turn < 40; turn += 1) await limiter.take(subject, 1_000);
        await sleep(2_100);
        await limiter.take(subject, 1_000);
        expect((await limiter.used(subject)).count).toBe(41);
        expect((await other.used(subject)).count).toBe(41);
      } finally {
        await other.close();
      }
    });

    it('hold in each process by itself while the server is away, which is logged, and together when it is back', async () => {
      const { proxy, url: through } = await TcpProxy.before(url);
      const lines: string[] = [];
      const note = (_: object, line: string) =>
        void (line.includes(': a connection failed') || lines.push(line));
      const cut = await open(60, through, { ...silentLogger, warn: note, info: note });
      try {
        const subject = randomUUID();
        expect(await cut.take(subject, 3)).toMatchObject({ allowed: true });
        proxy.set('refuse');
        await sleep(2_100);
        const alone = [];
        for (let turn = 0; turn < 5; turn += 1) alone.push((await cut.take(subject, 3)).allowed);
        expect(alone).toEqual([true, true, true, false, false]);
        expect(lines).toEqual([
          'rate limits: PostgreSQL is unavailable; this process applies the limits by itself',
        ]);
        proxy.set('pass');
        const deadline = Date.now() + 10_000;
        while (lines.length < 2 && Date.now() < deadline) {
          await sleep(100);
          await cut.take(randomUUID(), 3);
        }
        expect(lines[1]).toBe(
          'rate limits: PostgreSQL is available; sharing limits with other processes',
        );
        expect((await cut.take(subject, 3)).allowed).toBe(true);
      } finally {
        await cut.close();
        await proxy.close();
      }
    }, 30_000);
  });
});
