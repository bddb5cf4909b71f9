import { afterAll, beforeAll, describe } from '@jest/globals';

import type { EventStore } from '#event-store';

import { appendContract } from './event-store/append.contract.js';
import { idempotenceContract } from './event-store/idempotence.contract.js';
import { readContract } from './event-store/read.contract.js';
import { subscribeContract } from './event-store/subscribe.contract.js';

/**
 * A store under test. `reopen` closes it and opens it again on the same data, where the adapter
 * can.
 */
export interface StoreHarness {
  readonly store: EventStore;
  reopen?(): Promise<EventStore>;
}

/**
 * The contract of every adapter of the port. The suite does not assume an empty log: on a shared
 * server it runs next to existing events.
 */
export function eventStoreContract(name: string, open: () => Promise<StoreHarness>): void {
  describe(`event store contract: ${name}`, () => {
    let harness: StoreHarness;
    let store: EventStore;
    const context = {
      get store() {
        return store;
      },
      async reopen() {
        if (harness.reopen) store = await harness.reopen();
      },
    };

    beforeAll(async () => {
      harness = await open();
      store = harness.store;
    });
    afterAll(async () => {
      await store.close();
    });

    appendContract(context);
    idempotenceContract(context);
    readContract(context);
    subscribeContract(context);
  });
}
