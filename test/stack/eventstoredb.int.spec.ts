import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store';
import { silentLogger } from '#platform';

import { eventStoreContract } from '../contracts/event-store.contract.js';
import { describeWhen } from '../support/describe-when.js';

describeWhen('EVENTSTORE_URL', 'EventStoreDB', (url) => {
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
});
