import { afterAll, beforeAll, describe } from '@jest/globals';

import { conformance } from './conformance/conformance.js';
import { EventStoreDbServer } from './server.js';
import { CHECKPOINT_MODES } from './subscription.js';

describe.each(CHECKPOINT_MODES)('the test server answers as EventStoreDB does, checkpoints %s', (checkpoints) => {
  let server: EventStoreDbServer;

  beforeAll(async () => {
    server = await EventStoreDbServer.start({ checkpoints, commitMs: 5 });
  });
  afterAll(() => server.stop());

  conformance(() => server.url, checkpoints);
});
