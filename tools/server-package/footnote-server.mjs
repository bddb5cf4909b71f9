#!/usr/bin/env node
// footnote-server [PROGRAM] [WORD …]: runs a program of the server package, by default the whole
// service. It runs on Node 24 from the package of the platform, which has no install script. On
// other platforms it runs on the Node of this process, if that is new enough.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runtimeEnvironment } from './runtime-env.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = JSON.parse(readFileSync(new URL('./programs.json', import.meta.url), 'utf8'));
const NEEDED_NODE = 24;

const [program = 'start', ...words] = process.argv.slice(2);
if (!Object.hasOwn(programs, program)) {
  fail(`The program must be one of ${Object.keys(programs).join(', ')} (got "${program}")`);
}
const node = nodeOfThePackage() ?? nodeOfThisProcess();
if (node === undefined) {
  fail(
    `The server needs Node ${NEEDED_NODE} (this is ${process.versions.node}), and no package has it ` +
      `for ${process.platform} ${process.arch}; start it with Node ${NEEDED_NODE} or newer`,
  );
}
const child = spawn(node, [join(root, programs[program]), ...words], {
  stdio: 'inherit',
  env: runtimeEnvironment,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => fail(`Node ${NEEDED_NODE} does not start: ${message}`));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});

/** Returns the program of the package for this platform; undefined if it is not installed. */
function nodeOfThePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`node-${platform}-${process.arch}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), bin.node);
  } catch {
    return undefined;
  }
}

function nodeOfThisProcess() {
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE ? process.execPath : undefined;
}

function fail(message) {
  console.error(`footnote-server: ${message}`);
  process.exit(2);
}
