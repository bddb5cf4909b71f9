import { afterAll, beforeAll, describe } from '@jest/globals';

import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger } from '#platform';
import { eventStoreContract } from '#test/contracts/event-store.contract';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';

describe.each([
  ['BatchAppend', true],
  ['Append', false],
])('EventStoreDB by %s', (name, batchAppend) => {
  let server: EventStoreDbServer;

  beforeAll(async () => {
    server = await EventStoreDbServer.start({ batchAppend });
  });
  afterAll(() => server.stop());

  eventStoreContract(`EventStoreDB, ${name}`, async () => {
    const open = () =>
      openEventStoreDb({ url: server.url, logger: silentLogger, timeoutMs: 5_000 });
    let store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
    };
  });
});
