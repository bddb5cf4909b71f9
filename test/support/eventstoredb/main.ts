/**
 * The test server as a process. `node dist/test/support/eventstoredb/main.js --port 2113 --dir DIR`
 * prints `listening on 127.0.0.1:PORT` when it is ready. Options:
 * - `--dir`: the log survives a kill.
 * - `--checkpoints from-24.10.5`: the checkpoints of newer servers.
 * - `--history-end-delay 0-1500`: a random wait of so many milliseconds before a subscription is
 *   informed that its history ends.
 * - `--commit-ms`, default 5: the time of an append, as with a disk and replicas.
 *
 * On SIGUSR2 the next append is committed and its connection breaks in place of the answer. A line
 * says that the signal arrived.
 */
import { parseArgs } from 'node:util';

import { EventStoreDbServer } from './server.js';
import { CHECKPOINT_MODES } from './subscription.js';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    dir: { type: 'string' },
    'no-batch-append': { type: 'boolean', default: false },
    checkpoints: { type: 'string', default: CHECKPOINT_MODES[0] },
    'history-end-delay': { type: 'string', default: '0' },
    'commit-ms': { type: 'string', default: '5' },
  },
});
const checkpoints = CHECKPOINT_MODES.find((mode) => mode === values.checkpoints);
if (!checkpoints) throw new RangeError(`--checkpoints is one of ${CHECKPOINT_MODES.join(', ')}`);
const server = await EventStoreDbServer.start({
  port: Number(values.port),
  batchAppend: !values['no-batch-append'],
  checkpoints,
  commitMs: Number(values['commit-ms']),
  endOfHistoryDelay: delayWithin(values['history-end-delay']),
  ...(values.dir === undefined ? {} : { directory: values.dir }),
});
process.on('SIGUSR2', () => {
  server.loseAnswers(1, 'break');
  process.stdout.write('losing the next answer\n');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.stop();
    process.exit(0);
  });
}
process.stdout.write(`listening on 127.0.0.1:${server.port}\n`);

/**
 * Returns a function that chooses a number between the two of `0-1500` on each call, or always the
 * one of `200`.
 */
function delayWithin(range: string): () => number {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  if (from === undefined)
    throw new RangeError('--history-end-delay is a number of milliseconds, or two as in 0-1500');
  return () => Number(from) + Math.random() * (Number(to) - Number(from));
}
