import { randomUUID } from 'node:crypto';

import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EventStore, isLogDamaged } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger } from '#platform';
import {
  follow,
  kinds,
  refusal,
  revisions,
  streamRevisions,
} from '#test/contracts/event-store/observe';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';
import { freshStream, someEvents } from '#test/support/sample-events';

/**
 * A database contains more than the service's events: those of operators, other programs and the
 * database itself.
 */
describe('an EventStoreDB with foreign events', () => {
  let server: EventStoreDbServer;
  let store: EventStore;
  let other: EventStoreDBClient;

  beforeAll(async () => {
    server = await EventStoreDbServer.start();
    store = await openEventStoreDb({ url: server.url, logger: silentLogger });
    other = EventStoreDBClient.connectionString(server.url);
  });
  afterAll(async () => {
    await store.close();
    await other.dispose();
    server.stop();
  });

  const foreign = (type = 'Foreign') =>
    jsonEvent({ id: randomUUID(), type, data: { any: 'thing' } });

  it('has no head while it contains system events only, and then the newest other event', async () => {
    expect(await store.head()).toBeNull();
    const stream = freshStream();
    const { position } = await store.append(stream, someEvents(2), 'none');
    for (let round = 0; round < 70; round += 1)
      await other.setStreamMetadata(stream, { maxCount: 50 + round });
    expect(await store.head()).toBe(position);
  });

  it('returns nothing of a deleted stream, and accepts appends after a soft deletion', async () => {
    const [soft, hard] = [freshStream(), freshStream()];
    await store.append(soft, someEvents(2), 'none');
    await store.append(hard, someEvents(2), 'none');
    await other.deleteStream(soft);
    await other.tombstoneStream(hard);
    expect(await revisions(store.read(soft))).toEqual([]);
    expect(await revisions(store.read(hard))).toEqual([]);
    expect(await store.append(soft, someEvents(1), 'none')).toMatchObject({ revision: 2n });
    expect(await revisions(store.read(soft))).toEqual([2n]);
    await expect(store.append(hard, someEvents(1), 'none')).rejects.toMatchObject({
      type: 'stream-deleted',
    });
  });

  it('returns as much of a stream as its $maxCount allows', async () => {
    const stream = freshStream();
    await store.append(stream, someEvents(5), 'none');
    await other.setStreamMetadata(stream, { maxCount: 2 });
    expect(await revisions(store.read(stream))).toEqual([3n, 4n]);
    expect(await revisions(store.read(stream, { from: 4n }))).toEqual([4n]);
  });

  it('leaves events of other programs out of subscriptions, and rejects a stream of the service that contains one', async () => {
    const stream = freshStream();
    await store.append(stream, someEvents(1), 'none');
    await other.appendToStream(stream, [foreign(), foreign('SourceSyncRequested')]);
    await other.appendToStream('guests', foreign());
    await store.append(stream, someEvents(1), 2n);
    const following = follow(store, { after: 'start' });
    await following.until((seen) => kinds(seen).includes('caught-up'));
    await following.stop();
    expect(streamRevisions(following.seen, stream)).toEqual([0n, 3n]);
    expect(streamRevisions(following.seen, 'guests')).toEqual([]);
    expect(isLogDamaged(await refusal(revisions(store.read(stream))))).toBe(true);
  });
});
