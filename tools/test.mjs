// Builds and runs the tests. `npm test` runs everything that needs no outside service, including
// lint and layer rules, except two slow groups of whole processes: `npm run test:journeys`, the
// features over HTTP, and `npm run test:faults`. `npm run test:unit` runs only *.spec.ts without
// .int and .e2e. Further words are passed to Jest, search tests everywhere and skip lint.
import { join } from 'node:path';

import { ensureInstalled, node24, root, run, runSideBySide } from './prepare.mjs';
import { runtimeEnvironment } from './runtime-env.mjs';
import { testFolder } from './test-folder.mjs';

const FAULTS = '/dist/test/faults/';
// Two journeys stay in `npm test`: a sync from start to search, and one that is killed.
const JOURNEYS = '/dist/test/e2e/(?!main-job|kill)';
const GROUPS = new Map([
  ['unit', ['--testPathIgnorePatterns', '\\.(int|e2e)\\.spec\\.js$']],
  ['journeys', ['--testPathPatterns', JOURNEYS]],
  ['faults', ['--testPathPatterns', FAULTS]],
]);

const words = process.argv.slice(2);
const group = GROUPS.get(words[0]);
const everything = words.length === 0;
const jestWords = everything
  ? ['--testPathIgnorePatterns', JOURNEYS, FAULTS]
  : group
    ? [...group, ...words.slice(1)]
    : words;

ensureInstalled();
const build = [node24, [join(root, 'tools/build.mjs')], 'The build failed.'];
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
// They read the sources, so they need not wait for the build; two at a time, as there may be two
// cores.
if (everything) {
  const lint = [
    node24,
    [join(root, 'node_modules/eslint/bin/eslint.js'), '--max-warnings', '0', '.'],
  ];
  await runSideBySide([build, lint]);
  await runSideBySide([
    [node24, [cruiser, '--config', '.dependency-cruiser.cjs', 'apps', 'libs']],
    [
      node24,
      [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    ],
  ]);
  run(node24, [join(root, 'tools/folder-cycles.mjs')]);
  run(node24, [join(root, 'tools/dead-exports.mjs')]);
} else {
  run(...build);
}
// Tests allocate like the service: with glibc's defaults a worker keeps hundreds of MB of freed
// memory.
Object.assign(process.env, runtimeEnvironment, testFolder());
run(node24, [
  '--experimental-vm-modules',
  // Jest passes these on to its workers. V8's optimizing compiler takes gigabytes for the grammars,
  // and a worker cannot end before it has; no test runs them long enough to benefit.
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  ...jestWords,
]);
