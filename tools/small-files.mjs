/**
 * Lists source files of at most 25 lines with exactly one importer: candidates for a merge into it.
 * Specs, index files, ports and declarations of modules, events and tables are excluded.
 * Usage: node tools/small-files.mjs [FOLDER …]; the default is apps and libs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 25;
const DECLARATION =
  /(?:^index|\.(?:spec|port|module|events?|tables?|types|commands|worker|task))\.ts$/;
const DECLARATION_FOLDER = /\/(?:events|tables|migrations|grammars?)\//;
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

const folders = process.argv.slice(2);
const files = ['apps', 'libs', 'test'].flatMap(filesBelow);
const importers = importersOf(files);
const wanted = folders.length > 0 ? folders : ['apps', 'libs'];

for (const file of files) {
  const path = relative(root, file);
  if (!wanted.some((folder) => path.startsWith(`${folder}/`)) || isDeclaration(path)) continue;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
  const [importer, ...others] = importers.get(file) ?? [];
  if (lines <= MAX_LINES && importer !== undefined && others.length === 0) {
    console.log(`${String(lines).padStart(3)} ${path} <- ${relative(root, importer)}`);
  }
}

/** Returns the importers of each file without specs. An index counts as two: others import it. */
function importersOf(sources) {
  const known = new Set(sources);
  const result = new Map();
  for (const source of sources.filter((file) => !file.endsWith('.spec.ts'))) {
    for (const [, specifier] of readFileSync(source, 'utf8').matchAll(IMPORT)) {
      const target = resolve(source, specifier);
      if (!known.has(target)) continue;
      const by = (result.get(target) ?? new Set()).add(source);
      result.set(target, source.endsWith('/index.ts') ? by.add('others') : by);
    }
  }
  return new Map([...result].map(([file, by]) => [file, [...by]]));
}

function resolve(source, specifier) {
  if (specifier.startsWith('.')) return join(dirname(source), specifier.replace(/\.js$/, '.ts'));
  const [name, ...rest] = specifier.replace('#', '').split('/');
  if (['apps', 'test'].includes(name)) return `${join(root, name, ...rest)}.ts`;
  return join(root, 'libs', name, rest.length === 0 ? 'index.ts' : `${rest.join('/')}.ts`);
}

function isDeclaration(path) {
  return DECLARATION.test(path) || DECLARATION_FOLDER.test(path) || /\/main\.ts$/.test(path);
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : filesBelow(path);
    return entry.name.endsWith('.ts') ? [join(root, path)] : [];
  });
}
