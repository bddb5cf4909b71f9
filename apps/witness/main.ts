import { Command, InvalidArgumentError } from 'commander';

import { type NoteKey, parseVerifierKey } from '#audit';
import { createLogger, systemClock } from '#platform';

import { openWitness } from './open-witness.js';
import { serveWitness } from './serve-witness.js';

interface Options {
  readonly directory: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly log: readonly NoteKey[];
}

/** `npm run witness -- --name witness.example.com --log KEY`: cosigns checkpoints of logs. */
const program = new Command('witness')
  .description(
    'Cosigns signed checkpoints that extend those it cosigned before (C2SP tlog-witness).',
  )
  .requiredOption('--name <name>', 'name of the witness, such as its host name')
  .requiredOption('--log <key...>', 'public keys of the logs, from GET /audit/keys', readKey, [])
  .option('--directory <path>', 'folder for its key and its state', '.witness')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <number>', 'port to listen on', readPort, 8090)
  .action(run);

async function run({ directory, name, host, port, log }: Options): Promise<void> {
  const logger = createLogger('info');
  const opened = await openWitness({ directory, name, logs: log, clock: systemClock });
  const { witness, key } = opened;
  const server = await serveWitness({
    witness,
    host,
    port,
    onError: (error) => logger.error({ err: error }, 'witness: a request failed'),
  });
  process.stdout.write(`witness key ${key}\nlistens on  ${server.url}\n`);
  const stop = (): void => {
    void server.close().finally(() => opened.close());
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function readKey(value: string, previous: readonly NoteKey[]): readonly NoteKey[] {
  const key = parseVerifierKey(value);
  if (key?.type !== 'ed25519')
    throw new InvalidArgumentError('It must be a key of GET /audit/keys.');
  return [...previous, key];
}

function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be an integer from 0 to 65535.');
  return port;
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
