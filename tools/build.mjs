// Builds dist/: compiles, removes outputs without a source, unpacks the grammars and copies the
// models next to the code, and builds the page for people.
import './node-version.mjs';

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

import { buildWeb } from './build-web.mjs';
import { copyModelFiles } from './model-files.mjs';
import { preparePgliteImage } from './pglite-image.mjs';
import { copyServiceDocs } from './service-docs.mjs';
import { writeTokenTables } from './token-tables.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

removeStale(dist);
const compiled = spawnSync(
  process.execPath,
  [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
unpackGrammars();
copyModelFiles(root);
await writeTokenTables(root);
copyServiceDocs(root);
await buildWeb(root);
await preparePgliteImage(root);
writeFileSync(join(dist, '.built'), '');

/** Deletes outputs without a source: a removed test must not run any more. */
function removeStale(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const match = /^(apps|libs|test)\/.*\.js$/.exec(relative(dist, path));
    if (!entry.isFile() || !match) continue;
    if (!existsSync(join(root, match[0].replace(/\.js$/, '.ts')))) {
      rmSync(path);
      rmSync(`${path}.map`, { force: true });
      rmSync(join(dist, '.tsbuildinfo'), { force: true });
    }
  }
}

/**
 * Unpacks the grammars into dist/grammars, where the service reads them. Existing ones are kept;
 * one whose checksum differs from the manifest ends the build.
 */
function unpackGrammars() {
  const source = join(root, 'grammars');
  const target = join(dist, 'grammars');
  mkdirSync(target, { recursive: true });
  const { grammars } = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'));
  for (const { file, sha256 } of grammars) {
    const path = join(target, file.slice(0, -'.br'.length));
    if (existsSync(path) && digest(readFileSync(path)) === sha256) continue;
    const bytes = brotliDecompressSync(readFileSync(join(source, file)));
    if (digest(bytes) !== sha256) throw new Error(`grammars/${file} does not match its checksum`);
    writeFileSync(path, bytes);
  }
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
