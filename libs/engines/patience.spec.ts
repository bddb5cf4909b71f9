import { describe, expect, it } from '@jest/globals';

import { FootnoteError } from '#contracts';
import { type Logger, silentLogger } from '#platform';

import { EngineStartError } from './engine-start-error.js';
import { Patience } from './patience.js';

const TIMEOUT_MS = 60_000;

describe('Patience', () => {
  it('tries an engine that is away again, with pauses that double, until it opens', async () => {
    const { patience, pauses, lines } = start();
    const opening = failing(5, away('refused'));
    await expect(patience.open('postgres', opening.open)).resolves.toBe('open');
    expect(opening.tries()).toBe(6);
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000]);
    expect(lines).toEqual([
      'The start waits for an engine',
      'An engine that was waited for is there',
    ]);
  });

  it('logs a reason when it changes and not each time, by name and without credentials', async () => {
    const { patience, fields } = start();
    const reasons = ['refused', 'refused', 'no route to esdb://admin:changeit@log:2113', 'refused'];
    let tries = 0;
    await patience.open('eventStore', async () => {
      const reason = reasons[tries++];
      if (reason) throw away(reason);
    });
    expect(fields.slice(0, -1)).toEqual([
      { engine: 'EventStoreDB', reason: 'refused', timeout_seconds: 60 },
      { engine: 'EventStoreDB', reason: 'no route to esdb://log:2113', timeout_seconds: 60 },
      { engine: 'EventStoreDB', reason: 'refused', timeout_seconds: 60 },
    ]);
  });

  it('gives up when the time is up, naming each engine that is away and why', async () => {
    const { patience, clock } = start();
    const others = [patience.open('kafka', failing(Infinity, away('no broker')).open)];
    others.push(patience.open('s3', failing(Infinity, away('timeout')).open));
    const errors = await Promise.all(others.map((other) => other.catch(String)));
    expect(errors[0]).toBe(
      'EngineStartError: Kafka (KAFKA_BROKERS) is away: no broker; S3 (S3_ENDPOINT) is away: timeout; ' +
        'START_TIMEOUT_SECONDS, 60, are over.',
    );
    expect(clock.now).toBe(TIMEOUT_MS);
  });

  it('repeats what met a server that went away again, and nothing else', async () => {
    const { patience, pauses } = start();
    const work = failing(2, away('refused'));
    await expect(patience.repeat(work.open)).resolves.toBe('open');
    expect([work.tries(), pauses]).toEqual([3, [250, 500]]);
    const wrong = new Error('wrong');
    const refused = failing(1, wrong);
    await expect(patience.repeat(refused.open)).rejects.toBe(wrong);
    expect(refused.tries()).toBe(1);
    const { patience: hurried } = start(0);
    await expect(hurried.repeat(failing(1, away('refused')).open)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('gives up at once when it has no time', async () => {
    const { patience, pauses } = start(0);
    const opening = failing(1, away('refused'));
    await expect(patience.open('postgres', opening.open)).rejects.toThrow(
      'PostgreSQL (DATABASE_URL) is away: refused.',
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
    const { patience, pauses } = start();
    const opening = failing(1, error);
    const refused = await patience
      .open('postgres', opening.open)
      .catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(EngineStartError);
    expect(String(refused)).toBe(
      `EngineStartError: PostgreSQL (DATABASE_URL) cannot be used: ${error.message}`,
    );
    expect([opening.tries(), pauses]).toEqual([1, []]);
  });

  it('tells whom it waits for', async () => {
    const { patience } = start();
    const seen: (readonly string[])[] = [patience.awaited];
    let tries = 0;
    await patience.open('openSearch', async () => {
      seen.push(patience.awaited);
      if ((tries += 1) < 2) throw away('refused');
    });
    expect([...seen, patience.awaited]).toEqual([[], [], ['OpenSearch'], []]);
  });

  it('stops waiting when the start has failed elsewhere, also for a try that does not end', async () => {
    const { patience } = start();
    const waiting = [
      patience.open('kafka', failing(Infinity, away('no broker')).open),
      patience.open('s3', () => new Promise(() => undefined)),
    ];
    patience.giveUp(new Error('no log'));
    for (const each of waiting) await expect(each).rejects.toThrow('no log');
  });
});

/** Patience by a clock that only pausing moves. */
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
  const patience = new Patience({
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
  return { patience, pauses, fields, lines, clock };
}

/** An engine that fails so many times before it opens. */
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
