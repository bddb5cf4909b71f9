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
  runner: '<rootDir>/tools/jest/runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/tools/jest/setup.mjs'],
  // Three workers on two cores: tests of the pipeline and of servers wait two thirds of their time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testSequencer: '<rootDir>/tools/test-sequencer.mjs',
  forceExit: false,
  // Beside the build: how long each suite took is known wherever the tests keep their files.
  cacheDirectory: '<rootDir>/dist/.jest',
  reporters: ['default'],
};
