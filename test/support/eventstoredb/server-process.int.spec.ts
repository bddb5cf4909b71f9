import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { appendSurely, type EventStore, isOutcomeUnknown } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger, systemClock } from '#platform';

import { events, follow, refusal, revisions } from '../../contracts/event-store/observe.js';
import { freshStream, someEvents } from '../sample-events.js';
import { tempDir } from '../temp-dir.js';
import { EventStoreDbProcess } from './server-process.js';

describe('the test server as a process', () => {
  const directory = tempDir();
  let server: EventStoreDbProcess;
  let store: EventStore;

  beforeAll(async () => {
    server = await EventStoreDbProcess.start(directory.path);
    store = await openEventStoreDb({ url: server.url, logger: silentLogger, timeoutMs: 3_000 });
  });
  afterAll(async () => {
    await store.close();
    await server.kill();
    directory.remove();
  });

  it('keeps what it acknowledged across kills, and drops what it did not finish writing', async () => {
    const stream = freshStream();
    const following = follow(store, { after: 'start' });
    const deadline = () => systemClock.monotonic() + 15_000;
    let expected: 'none' | bigint = 'none';
    for (let round = 0; round < 3; round += 1) {
      const target = { store, stream, clock: systemClock, deadline: deadline() };
      for (let append = 0; append < 10; append += 1) {
        expected = (await appendSurely(target, someEvents(2), expected)).revision;
      }
      await server.kill();
      appendFileSync(join(directory.path, 'log.ndjson'), '{"stream":"source-cut","created":1,"rec');
      server = await EventStoreDbProcess.start(directory.path, server.port);
      // Until the client is back, an append is refused and not repeated by appendSurely.
      await reachable(store);
    }
    const all = Array.from({ length: 60 }, (_, index) => BigInt(index));
    expect(await revisions(store.read(stream))).toEqual(all);
    await following.until((seen) => events(seen).length === 60);
    await following.stop();
    expect(events(following.seen).map((event) => event.revision)).toEqual(all);
  });

  it('loses an answer on SIGUSR2 and has the event', async () => {
    const stream = freshStream();
    await store.append(stream, someEvents(1), 'none');
    await server.loseNextAnswer();
    const second = someEvents(1);
    expect(isOutcomeUnknown(await refusal(store.append(stream, second, 0n)))).toBe(true);
    const target = {
      store,
      stream,
      clock: systemClock,
      deadline: systemClock.monotonic() + 15_000,
    };
    expect(await appendSurely(target, second, 0n)).toMatchObject({ revision: 1n });
    expect(await revisions(store.read(stream))).toEqual([0n, 1n]);
  });
});

async function reachable(store: EventStore): Promise<void> {
  for (const deadline = Date.now() + 15_000; ;) {
    const answered = await store.head().then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (Date.now() > deadline) throw new Error('The server is not reached again');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
