// The order of the test files: failed ones first, then the longest, so that no worker ends long
// before the other. A bare clone has no recorded durations; there they are estimated by kind and
// size of a file.
import { createRequire } from 'node:module';

// Jest's own sequencer, which records durations; resolved from Jest, because it is not a direct
// dependency.
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: Sequencer } = createRequire(require.resolve('@jest/core'))('@jest/test-sequencer');

/**
 * Milliseconds as measured on two cores; a kilobyte of a compiled test represents one or a few more
 * tests.
 */
const COSTS = [
  { ending: '.e2e.spec.js', start: 12_000, kilobyte: 1_000 },
  { ending: '.int.spec.js', start: 2_500, kilobyte: 300 },
  { ending: '.spec.js', start: 200, kilobyte: 20 },
];

export default class TestSequencer extends Sequencer {
  /** Returns the milliseconds of a file's last run, or an estimate; Jest sorts by it. */
  time(test) {
    return super.time(test) ?? estimate(test.path, test.context.hasteFS.getSize(test.path) ?? 0);
  }
}

function estimate(path, bytes) {
  const cost = COSTS.find(({ ending }) => path.endsWith(ending));
  return cost === undefined ? 0 : cost.start + (bytes / 1_024) * cost.kilobyte;
}
