// Runs test files in plain Node processes, which load a module once for many files. Jest's own
// runner loads all modules again for each file: two thirds of the processor time of a file that
// opens the API.
import { subscribe } from 'node:diagnostics_channel';

import { createRunner } from 'jest-light-runner';

/**
 * Test files per process before new processes replace it: what a test leaves in memory grows with
 * them.
 */
const FILES_PER_PROCESS = 40;

// The runner reports only that a process of tests ended, not how.
subscribe('child_process', ({ process: child }) => {
  child.once('exit', (code, signal) => {
    if (!child.spawnargs.some((word) => word.includes('tinypool')) || child.killed || code === 0)
      return;
    console.error(`Process ${child.pid} of tests ended by ${signal ?? `code ${code}`}.`);
  });
});

const LightRunner = createRunner({ runtime: 'child_process' });

export default class TestRunner extends LightRunner {
  #filesAtOnce;

  constructor(globalConfig, ...rest) {
    super(globalConfig, ...rest);
    this.#filesAtOnce = FILES_PER_PROCESS * globalConfig.maxWorkers;
  }

  async runTests(tests, ...callbacks) {
    for (let from = 0; from < tests.length; from += this.#filesAtOnce) {
      await super.runTests(tests.slice(from, from + this.#filesAtOnce), ...callbacks);
    }
  }
}
