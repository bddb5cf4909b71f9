// launch.mjs FILE [WORD …]: runs a built program on the project's Node 24, after installing and
// building if necessary.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { ensureBuilt, ensureInstalled, node24, root } from './prepare.mjs';
import { runtimeEnvironment } from './runtime-env.mjs';

const [file, ...words] = process.argv.slice(2);
if (!file) {
  console.error('usage: node tools/launch.mjs FILE [WORD …]');
  process.exit(2);
}
ensureInstalled();
ensureBuilt();

const child = spawn(node24, [join(root, file), ...words], {
  stdio: 'inherit',
  env: runtimeEnvironment,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
