import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from './free-port.js';
import { PROJECT_ROOT } from './project-root.js';

const run = promisify(execFile);

/** A Kafka of the test's own, to be killed at will. */
export interface KafkaBroker {
  readonly address: string;
  /** As a power cut would. */
  kill(): Promise<void>;
  /** Takes the same data up again; resolves when it is ready. */
  start(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a broker on free ports, by `test/engines/kafka.sh`. */
export async function startKafkaBroker(): Promise<KafkaBroker> {
  const directory = await mkdtemp(join(tmpdir(), 'footnote-kafka-'));
  // The next one is the controller's.
  const port = await freePort(2);
  const verb = async (word: string) => {
    const options = ['--dir', directory, '--port', String(port), '--heap', '384'];
    await run(join(PROJECT_ROOT, 'test/engines/kafka.sh'), [word, ...options], { timeout: 90_000 });
  };
  await verb('start');
  return {
    address: `127.0.0.1:${port}`,
    kill: () => verb('kill'),
    start: () => verb('start'),
    dispose: async () => {
      await verb('kill');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
