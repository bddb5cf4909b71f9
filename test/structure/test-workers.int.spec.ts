import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { tempDir } from '#test/support/temp-dir';

/** A worker that listens for its settings some time after its first message, and prints them. */
const WORKER = `
process.on('message', (message) => {
  if (message !== 'task') return;
  setTimeout(() => {
    process.on('message', ({ workerData }) => {
      process.send('settings: ' + workerData);
      process.disconnect();
    });
    process.send('jest-light-runner-get-worker-data');
  }, 50);
});
`;

describe('a worker of the test runner', () => {
  it('gets settings that were sent before it asked for them', async () => {
    const folder = tempDir();
    const file = `${folder.path}/worker.mjs`;
    writeFileSync(file, WORKER);
    const register = join(process.cwd(), 'tools/jest/register.mjs');
    const worker = fork(file, { execArgv: ['--import', register] });
    try {
      worker.send('task');
      worker.send({ type: 'jest-light-runner-worker-data', workerData: 'all' });
      const [message] = (await once(worker, 'message')) as [unknown];
      expect(message).toBe('settings: all');
    } finally {
      worker.kill();
      folder.remove();
    }
  });
});
