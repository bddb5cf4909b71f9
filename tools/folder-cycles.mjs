// Reports folders of a package that import each other, directly or through others, at every depth.
// A folder counts as one with everything below it. A file next to a folder counts as one of its
// own, so a folder must not reach itself through such a file either. Imports of specs do not count.
// Exits with 1 if there is a cycle. Arguments: folders of packages; default: all apps and libs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const cycles = packagesToCheck().flatMap((folder) => folderCycles(folder));
for (const { within, entries, imports } of cycles) {
  console.error(`${within}: ${entries.join(', ')} import each other`);
  for (const { from, to } of imports) console.error(`  ${from} → ${to}`);
}
if (cycles.length > 0) process.exitCode = 1;

function packagesToCheck() {
  if (process.argv.length > 2) return process.argv.slice(2).map((path) => posix.normalize(path));
  return ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${group}/${name}`),
  );
}

/** Returns the cycles of each folder of a package, with the imports that close them. */
function folderCycles(packageFolder) {
  const files = sourceFiles(packageFolder);
  const imports = files.flatMap((from) =>
    importedFiles(from, packageFolder, new Set(files)).map((to) => ({ from, to })),
  );
  const folders = new Set(files.flatMap((file) => parentsOf(file, packageFolder)));
  return [...folders].sort().flatMap((within) => {
    const edges = imports
      .filter(({ from, to }) => isBelow(from, within) && isBelow(to, within))
      .map((edge) => ({
        ...edge,
        fromEntry: entryOf(edge.from, within),
        toEntry: entryOf(edge.to, within),
      }))
      .filter(({ fromEntry, toEntry }) => fromEntry !== toEntry);
    return connectedSets(edges)
      .filter((entries) => entries.some((entry) => !entry.endsWith('.ts')))
      .map((entries) => ({
        within,
        entries,
        imports: edges.filter(
          ({ fromEntry, toEntry }) => entries.includes(fromEntry) && entries.includes(toEntry),
        ),
      }));
  });
}

function sourceFiles(packageFolder) {
  return readdirSync(join(root, packageFolder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .filter(({ name }) => !name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .sort();
}

/** Returns the files of the package that a file imports, types and dynamic imports included. */
function importedFiles(file, packageFolder, known) {
  const { importedFiles: found } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
  return [...new Set(found.map(({ fileName }) => resolve(fileName, file, packageFolder)))].filter(
    (path) => known.has(path),
  );
}

function resolve(specifier, file, packageFolder) {
  if (specifier.startsWith('.')) {
    return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  }
  const alias = packageFolder.startsWith('libs/')
    ? `#${packageFolder.slice('libs/'.length)}`
    : `#${packageFolder}`;
  if (specifier === alias) return `${packageFolder}/index.ts`;
  if (specifier.startsWith(`${alias}/`)) {
    return `${packageFolder}/${specifier.slice(alias.length + 1)}.ts`;
  }
  return undefined;
}

function parentsOf(file, packageFolder) {
  const parents = [];
  for (let at = posix.dirname(file); isBelow(at, posix.dirname(packageFolder));) {
    parents.push(at);
    at = posix.dirname(at);
  }
  return parents;
}

function isBelow(path, folder) {
  return path.startsWith(`${folder}/`);
}

function entryOf(file, within) {
  return file.slice(within.length + 1).split('/')[0];
}

/** Returns the strongly connected sets of at least two entries (Tarjan's algorithm). */
function connectedSets(edges) {
  const targets = Map.groupBy(edges, ({ fromEntry }) => fromEntry);
  const numbers = new Map();
  const lowest = new Map();
  const stack = [];
  const sets = [];
  const visit = (entry) => {
    numbers.set(entry, numbers.size);
    lowest.set(entry, numbers.get(entry));
    stack.push(entry);
    for (const { toEntry } of targets.get(entry) ?? []) {
      if (!numbers.has(toEntry)) visit(toEntry);
      if (stack.includes(toEntry)) {
        lowest.set(entry, Math.min(lowest.get(entry), lowest.get(toEntry)));
      }
    }
    if (lowest.get(entry) !== numbers.get(entry)) return;
    const set = stack.splice(stack.indexOf(entry));
    if (set.length > 1) sets.push(set.sort());
  };
  for (const entry of targets.keys()) if (!numbers.has(entry)) visit(entry);
  return sets;
}
