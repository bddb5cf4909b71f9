// Builds dist/: compiles, removes what no source stands for any more, and copies grammars and models next to the code.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import './node-version.mjs';
import { copyModelFiles } from './model-files.mjs';
import { preparePgliteImage } from './pglite-image.mjs';
import { copyServiceDocs } from './service-docs.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

removeStale(dist);
const compiled = spawnSync(process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], {
  cwd: root,
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
copyGrammars();
copyModelFiles(root);
copyServiceDocs(root);
await preparePgliteImage(root);
writeFileSync(join(dist, '.built'), '');

/** Deletes outputs whose source is gone: a removed test must not go on running. */
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

/** Grammars are read from dist/grammars, so that a production install needs none of the packages that carry them. */
function copyGrammars() {
  const target = join(dist, 'grammars');
  mkdirSync(target, { recursive: true });
  const modules = join(root, 'node_modules');
  const bundle = join(modules, '@vscode/tree-sitter-wasm/wasm');
  const files = readdirSync(bundle)
    .filter((name) => /^tree-sitter-.*\.wasm$/.test(name))
    .map((name) => join(bundle, name));
  for (const name of ['c', 'scala', 'elixir', 'julia', 'objc', 'ocaml', 'solidity']) {
    files.push(join(modules, `tree-sitter-${name}`, `tree-sitter-${name}.wasm`));
  }
  files.push(join(modules, 'tree-sitter-ocaml/tree-sitter-ocaml_interface.wasm'));
  for (const name of ['clojure', 'dart', 'haskell', 'hcl', 'r', 'swift', 'zig']) {
    files.push(join(modules, '@cursorless/tree-sitter-wasms/out', `tree-sitter-${name}.wasm`));
  }
  for (const name of ['tree-sitter-kotlin', 'tree-sitter-lua']) {
    files.push(join(modules, '@tree-sitter-grammars', name, `${name}.wasm`));
  }
  for (const file of files) {
    const copy = join(target, file.slice(file.lastIndexOf('/') + 1));
    if (!existsSync(copy) || statSync(copy).size !== statSync(file).size) copyFileSync(file, copy);
  }
}
