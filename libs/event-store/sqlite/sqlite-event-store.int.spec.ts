import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSqliteEventStore } from '#event-store';
import { eventStoreContract } from '#test/contracts/event-store.contract';

eventStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'footnote-log-'));
  const open = () =>
    openSqliteEventStore({
      directory,
      onFatal: (error) => {
        throw error;
      },
    });
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
