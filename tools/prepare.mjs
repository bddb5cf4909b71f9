// Prepares a bare clone: the packages of the lockfile, and a build that is not older than its
// sources. Runs on Node 20 with nothing installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { copyServiceDocs } from './service-docs.mjs';
import { removeUnusedFiles } from './unused-files.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const node24 = join(root, 'node_modules/node/bin/node');

const installed = join(root, 'node_modules/.package-lock.json');
const built = join(root, 'dist/.built');

/**
 * Installs from the lockfile when packages are missing or older than it. Packages shared by a link
 * are left to their owner.
 */
export function ensureInstalled() {
  const modules = join(root, 'node_modules');
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) return;
  const lockfile = join(root, 'package-lock.json');
  if (existsSync(installed) && existsSync(node24) && modified(installed) >= modified(lockfile))
    return;
  console.error('Installing packages (first use) …');
  run(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    'Installing packages failed; see the output of npm above.',
  );
  removeUnusedFiles(modules);
}

/**
 * Builds if there is no build or a source is newer than it; changed documentation is only copied.
 */
export function ensureBuilt() {
  if (existsSync(built) && modified(built) >= newestSource()) return copyServiceDocs(root);
  console.error('Building …');
  run(node24, [join(root, 'tools/build.mjs')], 'The build failed.');
}

/** Runs a command to its end with this process's streams; exits with its status if it fails. */
export function run(command, parameters, complaint) {
  const { status, error } = spawnSync(command, parameters, {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return;
  if (complaint) console.error(error ? `${complaint} ${error.message}` : complaint);
  process.exit(status ?? 1);
}

/**
 * Runs commands concurrently to their ends, with this process's streams; exits with the status of
 * the first that failed.
 * @param {readonly (readonly [string, readonly string[], string?])[]} commands command, parameters
 * and complaint.
 */
export async function runSideBySide(commands) {
  const ends = await Promise.all(
    commands.map(
      ([command, parameters, complaint]) =>
        new Promise((resolve) => {
          const child = spawn(command, parameters, { cwd: root, stdio: 'inherit' });
          child.on('error', ({ message }) =>
            resolve({ status: 1, complaint: `${complaint ?? command} ${message}` }),
          );
          child.on('close', (status) => resolve({ status: status ?? 1, complaint }));
        }),
    ),
  );
  const failed = ends.find(({ status }) => status !== 0);
  if (!failed) return;
  if (failed.complaint) console.error(failed.complaint);
  process.exit(failed.status);
}

function newestSource() {
  const files = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
  ].map((name) => join(root, name));
  for (const folder of ['apps', 'libs', 'test', 'tools']) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
      // A folder changes when a source of it is removed or renamed.
      if (entry.isDirectory() || /\.(ts|mjs|bin)$/.test(entry.name))
        files.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return Math.max(...files.map(modified));
}

function modified(path) {
  return statSync(path).mtimeMs;
}
