/**
 * The test server as a process: `node dist/test/support/eventstoredb/main.js --port 2113 --dir DIR` prints
 * `listening on 127.0.0.1:PORT` when it is ready. With `--dir` the log survives a kill. SIGUSR2: the next append is
 * committed and its connection breaks in place of the answer; a line says that the signal arrived.
 */
import { parseArgs } from 'node:util';

import { EventStoreDbServer } from './server.js';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    dir: { type: 'string' },
    'no-batch-append': { type: 'boolean', default: false },
  },
});
const server = await EventStoreDbServer.start({
  port: Number(values.port),
  batchAppend: !values['no-batch-append'],
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
