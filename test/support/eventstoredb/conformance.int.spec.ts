import { afterAll, beforeAll, describe } from '@jest/globals';

import { checkpointConformance, conformance } from './conformance/conformance.js';
import { EventStoreDbServer } from './server.js';
import type { CheckpointMode } from './subscription.js';

describe.each<[CheckpointMode, typeof conformance]>([
  ['up-to-24.10.4', conformance],
  ['from-24.10.5', checkpointConformance],
])('the test server answers as EventStoreDB does, checkpoints %s', (checkpoints, ask) => {
  let server: EventStoreDbServer;

  beforeAll(async () => {
    server = await EventStoreDbServer.start({ checkpoints, commitMs: 5 });
  });
  afterAll(() => server.stop());

  ask(() => server.url, checkpoints);
});
