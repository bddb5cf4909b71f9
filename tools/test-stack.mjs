// Runs the contract suites of the server engines and end-to-end journeys on real engines;
// `npm run test:stack`. test/engines/*.sh fetch and start them on loopback. `--every-journey` adds
// the journeys of fetching, parsing, input checks and the page in Chromium. Words are passed to
// Jest as paths below dist and replace the default paths. `test/faults/stack` are the faults, five
// minutes of them. `--exec FILE WORD…` runs a built program instead. An unavailable engine is
// printed as skipped, by name, and so are the tests that need it.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureBuilt, ensureInstalled, node24, root } from './prepare.mjs';

const ENGINES = { postgres: 25432, s3: 27070, kafka: 29092, opensearch: 29200 };
const START_TIMEOUT_MS = 900_000;
/** For the tests and their processes; see runtime-env.mjs. */
const QUIET = { NODE_OPTIONS: '--disable-warning=TimeoutNegativeWarning' };
/**
 * Journeys of the whole service. Tests of the data folder itself use the embedded engines only. So
 * do the kills, each of which would wait for a lease here: test/faults/stack kills in each stage.
 */
const JOURNEYS = specsOf(
  'e2e/main-job',
  'e2e/search-behavior',
  'e2e/policy',
  'e2e/receipts',
  'faults/one-log',
  'e2e/quota',
  'e2e/packages',
  'e2e/chat',
  'e2e/rover',
);
/**
 * Journeys of fetching, parsing, input checks and the page, which use the engines as the others do;
 * and lost content, the slowest.
 */
const FURTHER_JOURNEYS = specsOf(
  'e2e/failing-sources',
  'e2e/search-parameters',
  'e2e/html-docs',
  'e2e/openapi',
  'e2e/pdf-sources',
  'e2e/private-repositories',
  'e2e/conversations',
  'browser/web-page',
  'browser/web-roles',
  'faults/lost-content',
);

function specsOf(...names) {
  return names.map((name) => `dist/test/${name}.e2e.spec.js`);
}

const everyJourney = process.argv[2] === '--every-journey';
const words = everyJourney ? [] : process.argv.slice(2);
ensureInstalled();
ensureBuilt();
// Jest would not report one of several paths that matches nothing.
const gone = [...JOURNEYS, ...FURTHER_JOURNEYS].filter((path) => !existsSync(join(root, path)));
if (gone.length > 0) throw new Error(`Not found: ${gone.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'footnote-engines-'));
// Engines that reject root run as another user, who must reach their folders.
chmodSync(folder, 0o755);
const script = (name) => join(root, 'test/engines', `${name}.sh`);
const at = (name) => ['--dir', join(folder, name), '--port', String(ENGINES[name])];
const variables = {};
const missing = [];

function start(name) {
  console.log(`Starting ${name}`);
  const started = spawnSync('bash', [script(name), 'start', ...at(name)], {
    encoding: 'utf8',
    timeout: START_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (started.status !== 0) return void missing.push(name);
  for (const line of started.stdout.split('\n')) {
    const [, key, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (key) variables[key] = value;
  }
}

function stop() {
  for (const name of Object.keys(ENGINES)) {
    spawnSync('bash', [script(name), 'stop', ...at(name)], { stdio: 'ignore', timeout: 60_000 });
  }
  rmSync(folder, { recursive: true, force: true });
}

function execute(environment, parts) {
  const env = { ...QUIET, ...process.env, ...variables, ...environment };
  const options = { cwd: root, stdio: 'inherit', env };
  return spawnSync(node24, parts, options).status === 0;
}

function jest(environment, patterns) {
  return execute(environment, [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    // With retries, which the runner of the other tests lacks.
    '--runner=jest-runner',
    '--runInBand',
    '--testTimeout=180000',
    ...patterns,
    // Last: the option consumes every word after it.
    '--setupFilesAfterEnv=<rootDir>/dist/test/support/stack/retry-once.js',
  ]);
}

let passed;
try {
  for (const name of Object.keys(ENGINES)) start(name);
  for (const name of missing) console.log(`skipped: ${name} could not be fetched or started here`);
  variables.FOOTNOTE_ENGINE_FOLDER = folder;
  if (words[0] === '--exec') {
    passed = missing.length === 0 && execute({ FOOTNOTE_STACK: '1' }, words.slice(1));
  } else if (words.length > 0) {
    passed = jest(
      { FOOTNOTE_STACK: missing.length === 0 ? '1' : '0' },
      words.map((word) => `dist/${word}`),
    );
  } else {
    passed = jest({}, ['dist/test/stack/']);
    if (missing.length === 0) {
      const journeys = everyJourney ? [...JOURNEYS, ...FURTHER_JOURNEYS] : JOURNEYS;
      passed = jest({ FOOTNOTE_STACK: '1' }, journeys) && passed;
    } else {
      console.log(`skipped: journeys on servers; not available: ${missing.join(', ')}`);
    }
  }
} finally {
  stop();
}
process.exitCode = passed ? 0 : 1;
