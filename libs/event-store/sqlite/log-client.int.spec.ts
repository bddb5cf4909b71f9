import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isFootnoteError } from '#contracts';
import {
  type AppendResult,
  isOutcomeUnknown,
  openSqliteEventStore,
  type SqliteEventStore,
} from '#event-store';
import { readLog } from '#test/support/read-log';
import { freshStream, someEvents } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

describe('the thread of the log', () => {
  let folder: ReturnType<typeof tempDir>;
  beforeEach(() => {
    folder = tempDir();
  });
  afterEach(() => folder.remove());

  const open = (timeoutMs?: number): Promise<SqliteEventStore> =>
    openSqliteEventStore({
      directory: folder.path,
      onFatal: (error) => {
        throw error;
      },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });

  it('leaves the outcome unknown after a timeout, and a repetition settles it', async () => {
    const impatient = await open(1);
    let [stream, events] = [freshStream(), someEvents(500)];
    const before: Promise<unknown>[] = [];
    let first: unknown;
    // The answer and the end of the time may arrive together on a busy machine: try again.
    for (let attempt = 0; attempt < 50 && !isOutcomeUnknown(first); attempt += 1) {
      [stream, events] = [freshStream(), someEvents(500)];
      for (let other = 0; other < 40; other += 1)
        before.push(impatient.append(freshStream(), someEvents(250), 'none').catch(() => 0));
      first = await impatient.append(stream, events, 'none').catch((error: unknown) => error);
    }
    expect(isOutcomeUnknown(first)).toBe(true);
    let settled: AppendResult | undefined;
    for (let attempt = 0; attempt < 200 && !settled; attempt += 1) {
      // The thread first works off what was sent before.
      await delay(attempt);
      settled = await impatient.append(stream, events, 'none').catch(() => undefined);
    }
    expect(settled?.revision).toBe(499n);
    await Promise.all(before);
    const reading = await readLog(impatient).catch((error: unknown) => error);
    expect(isFootnoteError(reading, 'engine_unavailable') || Array.isArray(reading)).toBe(true);
    await impatient.close().catch(() => undefined);

    const patient = await open();
    const stored = (await readLog(patient)).filter((event) => event.stream === stream);
    expect(stored).toHaveLength(500);
    await patient.close();
  });

  it('rejects more than 10,000 requests at once, and completes the accepted ones', async () => {
    const store = await open();
    const appends = Array.from({ length: 10_200 }, () =>
      store.append(freshStream(), someEvents(1), 'none'),
    );
    const outcomes = await Promise.allSettled(appends);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(200);
    expect(refused.every((outcome) => isFootnoteError(outcome.reason, 'engine_unavailable'))).toBe(
      true,
    );
    expect(await readLog(store)).toHaveLength(10_000);
    await store.close();
  });
});
