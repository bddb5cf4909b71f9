// Builds the page for people (apps/web) to dist/web, and compresses its files next to them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'vite';

import { config } from '../apps/web/vite.config.mjs';

const SMALLEST = 512;

/**
 * Checks types and builds dist/web, unless it is newer than everything that it is made of. A type
 * error ends the build.
 */
export async function buildWeb(root) {
  const folder = join(root, 'dist/web');
  const page = join(folder, 'index.html');
  // The page takes the types of bodies and answers from the contracts.
  const sources = ['apps/web', 'libs/contracts', 'package-lock.json'].map((path) =>
    join(root, path),
  );
  if (existsSync(page) && sources.every((path) => newest(path) < statSync(page).mtimeMs)) return;
  const typescript = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'apps/web/tsconfig.json');
  const types = spawnSync(process.execPath, [typescript, '-p', project], { stdio: 'inherit' });
  if (types.status !== 0) process.exit(types.status ?? 1);
  await build(config);
  for (const name of readdirSync(join(folder, 'assets'))) {
    const path = join(folder, 'assets', name);
    const bytes = readFileSync(path);
    if (bytes.length < SMALLEST) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
