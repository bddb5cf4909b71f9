// Runs test files in plain Node processes, which load a module once for many files. Jest's own
// runner loads all modules again for each file: two thirds of the processor time of a file that
// opens the API.
import { createRunner } from 'jest-light-runner';

/**
 * Test files per process before new processes replace it: what a test leaves in memory grows with
 * them.
 */
const FILES_PER_PROCESS = 40;

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
