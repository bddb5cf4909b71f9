// Builds and runs the tests. `npm test` runs everything that needs no outside service, lint and layer rules included;
// `npm run test:unit` only *.spec.ts without .int and .e2e. Further words are passed to Jest and leave lint out.
import { join } from 'node:path';

import { ensureInstalled, node24, root, run, runSideBySide } from './prepare.mjs';

const [first, ...rest] = process.argv.slice(2);
const unit = first === 'unit';
const jestWords = unit ? ['--testPathIgnorePatterns', '\\.(int|e2e)\\.spec\\.js$', ...rest] : process.argv.slice(2);

ensureInstalled();
const build = [node24, [join(root, 'tools/build.mjs')], 'The build failed.'];
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
// They read the sources, so they need not wait for the build; two at a time, as there may be two cores.
if (process.argv.length === 2) {
  const lint = [node24, [join(root, 'node_modules/eslint/bin/eslint.js'), '--max-warnings', '0', '.']];
  await runSideBySide([build, lint]);
  await runSideBySide([
    [node24, [cruiser, '--config', '.dependency-cruiser.cjs', 'apps', 'libs']],
    [node24, [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  ]);
  run(node24, [cruiser, '--config', '.dependency-cruiser.folders.cjs', 'apps/api']);
} else {
  run(...build);
}
run(node24, [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  ...jestWords,
]);
