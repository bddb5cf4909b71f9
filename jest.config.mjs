import { availableParallelism } from 'node:os';

/**
 * Tests run as compiled by `npm run build`: no transform, native ES modules, the same files that
 * are shipped.
 */
export default {
  testEnvironment: 'node',
  transform: {},
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  // Long enough for a machine with a load of ten: no test shows anything by its time.
  testTimeout: 120_000,
  // Three workers on two cores: tests of the pipeline and of servers wait two thirds of their time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Node never releases the ES modules of a test file that Jest has loaded. A worker whose heap has
  // grown beyond this is replaced after its file; a heap of this size comes to less than 1 GB of
  // resident memory.
  workerIdleMemoryLimit: '200MB',
  testSequencer: '<rootDir>/tools/test-sequencer.mjs',
  forceExit: false,
  // Beside the build: how long each suite took is known wherever the tests keep their files.
  cacheDirectory: '<rootDir>/dist/.jest',
  reporters: ['default'],
};
