// Builds, checks the layer rules and runs the tests. `npm test` runs everything that needs no outside service;
// `npm run test:unit` only *.spec.ts without .int and .e2e; further words are passed to Jest.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import './node-version.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [first, ...rest] = process.argv.slice(2);
const unit = first === 'unit';
const words = unit ? ['--testPathIgnorePatterns', '\\.(int|e2e)\\.spec\\.js$', ...rest] : process.argv.slice(2);

run(process.execPath, [join(root, 'tools/build.mjs')]);
run(process.execPath, [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  ...words,
]);

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
