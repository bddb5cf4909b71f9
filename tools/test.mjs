// Builds and runs the tests. `npm test` runs everything that needs no outside service, including
// lint and layer rules, except three slow groups:
// - `npm run test:journeys`: features over HTTP in whole processes, the page beyond the first visit
// - `npm run test:faults`: their faults
// - `npm run test:exhaustive`: suites over many seeds, sizes or attacks
//
// `npm run test:unit` runs only *.spec.ts without .int and .e2e. Further words are passed to Jest,
// search tests everywhere and skip lint.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ensureBuilt, ensureInstalled, node24, root, run, runSideBySide } from './prepare.mjs';
import { runtimeEnvironment } from './runtime-env.mjs';
import { testFolder } from './test-folder.mjs';

const FAULTS = '/dist/test/faults/';
// One journey stays in `npm test`: a sync from start to search.
const JOURNEYS = [
  '/dist/test/e2e/(?!main-job)',
  '/dist/test/browser/web-(docs|engine-away|hostile|keyboard|roles|states)',
];
const EXHAUSTIVE = [
  '/dist/test/hostile/',
  '/dist/apps/api/history/past-state',
  '/dist/apps/projector/rebuild/replay-equality',
  '/dist/libs/audit/export/(export-mutations|python-verifier)',
  '/dist/libs/audit/tree/tile-tree',
  '/dist/libs/ingest/chunk/chunker.properties',
  '/dist/libs/platform/process/baseline-compiler',
];
// They need servers: `npm run test:stack` runs them, by Jest's own runner.
const STACK = ['--testPathIgnorePatterns', '/dist/test/(faults/)?stack/'];
const GROUPS = new Map([
  ['unit', ['--testPathIgnorePatterns', '\\.(int|e2e)\\.spec\\.js$']],
  ['journeys', ['--testPathPatterns', ...JOURNEYS]],
  ['faults', ['--testPathPatterns', FAULTS]],
  ['exhaustive', ['--testPathPatterns', ...EXHAUSTIVE]],
]);

const words = process.argv.slice(2);
const group = GROUPS.get(words[0]);
const everything = words.length === 0;
const jestWords = everything
  ? ['--testPathIgnorePatterns', ...JOURNEYS, FAULTS, ...EXHAUSTIVE]
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
  ensureBuilt();
}
// Tests allocate like the service: with glibc's defaults a worker keeps hundreds of MB of freed
// memory.
Object.assign(process.env, runtimeEnvironment, testFolder());
run(node24, [
  '--import',
  pathToFileURL(join(root, 'tools/jest/register.mjs')).href,
  join(root, 'node_modules/jest/bin/jest.js'),
  ...jestWords,
  ...STACK,
]);
