import { describe, it } from '@jest/globals';

import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger } from '#platform';

import { eventStoreContract } from '../contracts/event-store.contract.js';

const url = process.env['EVENTSTORE_URL'];

if (url) {
  eventStoreContract('EventStoreDB', async () => {
    const open = () => openEventStoreDb({ url, logger: silentLogger });
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
} else {
  describe('event store contract: EventStoreDB', () => {
    it.todo('runs when EVENTSTORE_URL is set');
  });
}
