import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  const port = await freePort();
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

/**
 * A free port whose successor, the controller's, is free as well. Not one that the system gives to outgoing connections:
 * a client that keeps knocking at such a port while the broker is down ends up connected to itself.
 */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + 2 * randomInt(5_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('There is no free port');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
