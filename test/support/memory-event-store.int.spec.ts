import { eventStoreContract } from '#test/contracts/event-store.contract';

import { MemoryEventStore } from './memory-event-store.js';

eventStoreContract('in memory', async () => ({ store: new MemoryEventStore() }));
