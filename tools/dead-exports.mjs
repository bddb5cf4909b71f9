// Reports exported names that no other file imports. `node tools/dead-exports.mjs [--fix]
// [FOLDER…]` checks only these folders; it exits with 1 if it finds any. `--fix` takes the exports
// away: names out of barrels, `export` from declarations. Left out are:
// - entry files (`main.ts`, `run-*.ts`, `write-*.ts`, `*.process.ts`, `*.worker.ts`): they are
//   started, not imported
// - files that another file imports whole (`import * as`, `import()`), but for barrels
// - names that a script in `tools` takes out of the build (`{ name } = await import(…)`)
// - streams of the domain (`xStream`), which `streams.ts` finds by `import * as domain`
// - event definitions (`*.events.ts`), which their catalogue reads as groups
// - DTO classes, which Nest reads by reflection
// - the entry of the client, which programs of others import
// - types that another export of the same file names: callers hold their values
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import ts from 'typescript';

import { parse, resolveImport, ROOT } from './source-exports.mjs';

const FOLDERS = ['apps', 'libs', 'test'];
const FIXTURES = join(ROOT, 'test/fixtures');
const ENTRY_FILE = /\/(?:main|run-[^/]*|write-[^/]*)\.ts$|\.(?:process|worker)\.ts$/;

const words = process.argv.slice(2);
const fixes = words.includes('--fix');
const scopes = words.filter((word) => word !== '--fix').map((folder) => resolve(ROOT, folder));

const files = FOLDERS.flatMap(sourcesBelow);
const parsed = new Map(files.map((file) => [file, parse(file)]));
/** Imported names by file; `*` stands for all. */
const imported = new Map(files.map((file) => [file, new Set()]));
for (const [file, { uses }] of parsed) {
  for (const { from, name } of uses) {
    const target = resolveImport(from, file);
    if (target && target !== file) imported.get(target)?.add(name);
  }
}

/** Names that the scripts in `tools` import from the build. */
const usedByTools = new Set(
  readdirSync(join(ROOT, 'tools'))
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [
      ...readFileSync(join(ROOT, 'tools', name), 'utf8').matchAll(/\{ ([^}]+) \} = await import/g),
    ])
    .flatMap(([, names]) => names.split(', ')),
);

let count = 0;
for (const file of files) {
  if (scopes.length > 0 && !scopes.some((scope) => file.startsWith(`${scope}/`))) continue;
  const dead = deadNames(file);
  for (const { name } of dead) console.error(`${relative(ROOT, file)}: ${name}`);
  if (fixes && dead.length > 0) removeExports(file, dead);
  count += dead.length;
}
if (count > 0) {
  console.error(
    `${count} exported names are never imported; ${fixes ? 'removed' : 'run with --fix'}`,
  );
  if (!fixes) process.exit(1);
}

function sourcesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(ROOT, folder, name))
    .filter((file) => !file.startsWith(FIXTURES));
}

function deadNames(file) {
  if (ENTRY_FILE.test(file) || file.endsWith('/libs/client/index.ts')) return [];
  const names = imported.get(file);
  if (names.has('*') && !file.endsWith('/index.ts')) return [];
  const { exported } = parsed.get(file);
  const alive = exported.filter(({ name, node }) => names.has(name) || isExempt(file, name, node));
  return exported.filter((each) => !alive.includes(each) && !isNamedBy(each, alive));
}

function isExempt(file, name, node) {
  if (usedByTools.has(name)) return true;
  if (file.includes('/libs/domain/') && /Streams?$/.test(name)) return true;
  if (file.endsWith('.events.ts')) return true;
  return ts.isClassDeclaration(node) && /\/contracts\/http\/|\.dto\.ts$/.test(file);
}

/** Returns true for a type that another living export of the file names. */
function isNamedBy({ name, node }, alive) {
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return false;
  const word = new RegExp(`\\b${name}\\b`);
  return alive.some((each) => each.node !== node && word.test(each.node.getText()));
}

/** Removes exports from a file, last first, so that positions stay valid. */
function removeExports(file, dead) {
  const names = new Set(dead.map(({ name }) => name));
  let text = readFileSync(file, 'utf8');
  const nodes = [...new Set(dead.map(({ node }) => node))].sort((a, b) => b.pos - a.pos);
  for (const node of nodes) {
    const [start, end] = [node.getStart(), node.getEnd()];
    text = text.slice(0, start) + withoutExport(node, names) + text.slice(end);
  }
  writeFileSync(file, text.replace(/\n{3,}/g, '\n\n'));
}

function withoutExport(node, names) {
  if (!ts.isExportDeclaration(node)) return node.getText().replace(/^export /, '');
  const kept = node.exportClause.elements.filter(({ name }) => !names.has(name.text));
  if (kept.length === 0) return '';
  const list = kept.map((each) => each.getText()).join(', ');
  const from = node.moduleSpecifier ? ` from ${node.moduleSpecifier.getText()}` : '';
  return `export ${node.isTypeOnly ? 'type ' : ''}{ ${list} }${from};`;
}
