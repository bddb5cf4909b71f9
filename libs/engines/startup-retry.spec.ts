import { describe, expect, it } from '@jest/globals';

import { FootnoteError } from '#contracts';
import { type Logger, silentLogger } from '#platform';

import { EngineStartError } from './engine-start-error.js';
import { StartupRetry } from './startup-retry.js';

const TIMEOUT_MS = 60_000;

describe('StartupRetry', () => {
  it('retries an unavailable engine, with pauses that double, until it opens', async () => {
    const { retry, pauses, lines } = start();
    const opening = failing(5, away('refused'));
    await expect(retry.open('postgres', opening.open)).resolves.toBe('open');
    expect(opening.tries()).toBe(6);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000]);
    expect(lines).toEqual([
      'start: an engine is unavailable; retrying',
      'start: an engine became available; continuing',
    ]);
  });

  it('logs a reason only when it changes, by name and without credentials', async () => {
    const { retry, fields } = start();
    const reasons = ['refused', 'refused', 'no route to esdb://admin:changeit@log:2113', 'refused'];
    let tries = 0;
    await retry.open('eventStore', async () => {
      const reason = reasons[tries++];
      if (reason) throw away(reason);
    });
    expect(fields.slice(0, -1)).toEqual([
      { engine: 'EventStoreDB', reason: 'refused', timeout_seconds: 60 },
      { engine: 'EventStoreDB', reason: 'no route to esdb://log:2113', timeout_seconds: 60 },
      { engine: 'EventStoreDB', reason: 'refused', timeout_seconds: 60 },
    ]);
  });

  it('gives up when the time is up, with each unavailable engine and the reason', async () => {
    const { retry, clock } = start();
    const others = [retry.open('kafka', failing(Infinity, away('no broker')).open)];
    others.push(retry.open('s3', failing(Infinity, away('timeout')).open));
    const errors = await Promise.all(others.map((other) => other.catch(String)));
    expect(errors[0]).toBe(
      'EngineStartError: Kafka (KAFKA_BROKERS) is unavailable: no broker; S3 (S3_ENDPOINT) is unavailable: timeout; ' +
        'START_TIMEOUT_SECONDS (60) is over',
    );
    expect(clock.now).toBe(TIMEOUT_MS);
  });

  it('repeats work on a server that became unavailable again, and nothing else', async () => {
    const { retry, pauses } = start();
    const work = failing(2, away('refused'));
    await expect(retry.repeat(work.open)).resolves.toBe('open');
    expect([work.tries(), pauses]).toEqual([3, [250, 500]]);
    const wrong = new Error('wrong');
    const refused = failing(1, wrong);
    await expect(retry.repeat(refused.open)).rejects.toBe(wrong);
    expect(refused.tries()).toBe(1);
    const { retry: hurried } = start(0);
    await expect(hurried.repeat(failing(1, away('refused')).open)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('gives up at once if it has no time', async () => {
    const { retry, pauses } = start(0);
    const opening = failing(1, away('refused'));
    await expect(retry.open('postgres', opening.open)).rejects.toThrow(
      'PostgreSQL (DATABASE_URL) is unavailable: refused',
    );
    expect([opening.tries(), pauses]).toEqual([1, []]);
  });

  it.each([
    [
      'a refused login',
      Object.assign(new Error('password authentication failed for user "x"'), { code: '28P01' }),
    ],
    ['a wrong key', new Error('MASTER_KEY is not the key that this key ring was made with')],
    ['a full disk', new FootnoteError('storage_full', 'The key ring has no room left')],
  ])('does not retry %s', async (_, error) => {
    const { retry, pauses } = start();
    const opening = failing(1, error);
    const refused = await retry.open('postgres', opening.open).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(EngineStartError);
    expect(String(refused)).toBe(
      `EngineStartError: PostgreSQL (DATABASE_URL) cannot be used: ${error.message}`,
    );
    expect([opening.tries(), pauses]).toEqual([1, []]);
  });

  it('reports which engines it waits for', async () => {
    const { retry } = start();
    const seen: (readonly string[])[] = [retry.awaited];
    let tries = 0;
    await retry.open('openSearch', async () => {
      seen.push(retry.awaited);
      if ((tries += 1) < 2) throw away('refused');
    });
    expect([...seen, retry.awaited]).toEqual([[], [], ['OpenSearch'], []]);
  });

  it('stops waiting when the start has failed elsewhere, also for an attempt that does not end', async () => {
    const { retry } = start();
    const waiting = [
      retry.open('kafka', failing(Infinity, away('no broker')).open),
      retry.open('s3', () => new Promise(() => undefined)),
    ];
    retry.giveUp(new Error('no log'));
    for (const each of waiting) await expect(each).rejects.toThrow('no log');
  });
});

/** Returns a StartupRetry with a clock that only pausing moves. */
function start(timeoutMs = TIMEOUT_MS) {
  const clock = { now: 0 };
  const pauses: number[] = [];
  const fields: object[] = [];
  const lines: string[] = [];
  const note = (about: object, line: string) => {
    fields.push(about);
    lines.push(line);
  };
  const logger: Logger = { ...silentLogger, warn: note, info: note };
  const retry = new StartupRetry({
    timeoutMs,
    logger,
    clock: { now: () => new Date(clock.now), monotonic: () => clock.now },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      const until = clock.now + milliseconds;
      await Promise.resolve();
      clock.now = Math.max(clock.now, until);
    },
  });
  return { retry, pauses, fields, lines, clock };
}

/** Returns an engine that fails the given number of times before it opens. */
function failing(times: number, error: Error) {
  let tries = 0;
  return {
    tries: () => tries,
    open: async () => {
      tries += 1;
      if (tries <= times) throw error;
      return 'open';
    },
  };
}

function away(reason: string): FootnoteError {
  return new FootnoteError('engine_unavailable', 'It cannot be reached', {
    cause: new Error(reason),
  });
}
