import { TimeSlices } from '#platform';

import { BINARY_NAME } from '../select/file-names.js';

/** Reason to leave out a file of a package; the same file of a repository would be read. */
export type PackageSkip = 'built' | 'tests' | 'packaging';

/**
 * Folders of tests at any depth. `test` is not included: it is part of the interface of some
 * packages.
 */
const TEST_FOLDERS: ReadonlySet<string> = new Set([
  'tests',
  '__tests__',
  '__mocks__',
  '__fixtures__',
  'testdata',
]);

/** Files that installers and translators use internally. */
const PACKAGING =
  /(?:^|\/)[^/]+\.dist-info\/(?!METADATA$)|(?:^|\/)[^/]+\.egg-info\/|^PKG-INFO$|^Cargo\.toml\.orig$|^\.cargo_vcs_info\.json$|(?:^|\/)LC_MESSAGES\/[^/]+\.po$/;

/** Folders of builders, one for each form of the same code, the most readable form first. */
const FORMS = [
  'source',
  'src',
  'esm',
  'es',
  'es6',
  'module',
  'modules',
  'mjs',
  'cjs',
  'commonjs',
  'node',
  'umd',
  'amd',
  'system',
  'iife',
  'browser',
  'legacy',
];
const BUILD_FOLDERS: ReadonlySet<string> = new Set([
  'dist',
  'build',
  'out',
  'lib',
  ...FORMS.slice(2),
]);
/** Folders that often contain the forms. */
const OUTPUT_FOLDERS: ReadonlySet<string> = new Set(['dist', 'build', 'out']);

const DECLARATION = /\.d\.[cm]?ts$/;
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const TYPED = /\.(?:[cm]?tsx?|vue|svelte)$/;

/** Returns whether a file's name alone does not exclude it. Excluded files are not unpacked. */
export function mayBeWanted(path: string): boolean {
  return !BINARY_NAME.test(path) && skipByName(path) === undefined;
}

function skipByName(path: string): PackageSkip | undefined {
  if (PACKAGING.test(path)) return 'packaging';
  return path
    .split('/')
    .slice(0, -1)
    .some((part) => TEST_FOLDERS.has(part))
    ? 'tests'
    : undefined;
}

/**
 * Decides which files of a published package repeat the same code. Sources go before their builds,
 * modules before bundles, readable builds before production ones. `.d.ts` files and builds are
 * included where there is nothing else.
 *
 * @param paths of all files, without their common prefix in the archive. @returns the files to
 * leave out, with reasons.
 */
export async function packageSkips(
  paths: readonly string[],
  slices = new TimeSlices(),
): Promise<ReadonlyMap<string, PackageSkip>> {
  const skips = new Map<string, PackageSkip>();
  const left: string[] = [];
  for (const path of paths) {
    if (slices.isUsedUp) await slices.pause();
    const skip = skipByName(path);
    if (skip === undefined) left.push(path);
    else skips.set(path, skip);
  }
  const all = new Set(left);
  const sources = sourceStems(left);
  const forms = new Map<string, string>();
  for (const path of left) {
    if (slices.isUsedUp) await slices.pause();
    if (!SCRIPT.test(path)) continue;
    if (isBuiltFrom(path, sources) || hasSourceBeside(path, all) || hasReadableTwin(path, all))
      skips.set(path, 'built');
    else keepBest(path, forms, skips);
  }
  return skips;
}

/**
 * Returns paths below `src` without their extension, where that folder has the sources of a build.
 */
function sourceStems(paths: readonly string[]): ReadonlySet<string> {
  const below = paths.filter(
    (path) => path.startsWith('src/') && SCRIPT.test(path) && !DECLARATION.test(path),
  );
  const typed = below.filter((path) => TYPED.test(path));
  return new Set(
    (typed.length > 0 ? typed : below).map((path) => stemOf(path.slice('src/'.length))),
  );
}

/**
 * Returns whether a file is in a folder of builds: everything below `dist`, and each file with a
 * source of the same path.
 */
function isBuiltFrom(path: string, sources: ReadonlySet<string>): boolean {
  const parts = path.split('/');
  const built = parts.findIndex((part) => !BUILD_FOLDERS.has(part));
  if (sources.size === 0 || built <= 0) return false;
  return OUTPUT_FOLDERS.has(parts[0] ?? '') || sources.has(stemOf(parts.slice(built).join('/')));
}

/** Returns whether a source exists in the same folder: `a.ts` for `a.d.ts` and `a.js`. */
function hasSourceBeside(path: string, all: ReadonlySet<string>): boolean {
  if (TYPED.test(path) && !DECLARATION.test(path)) return false;
  const stem = stemOf(path);
  return ['.ts', '.tsx', '.mts', '.cts'].some((ending) => all.has(stem + ending));
}

/**
 * Returns `a.development.js` for `a.production.js`, and any other path as it is, in time linear in
 * the path.
 */
function readableName(path: string): string {
  const ending = /\.[cm]?js$/.exec(path)?.index ?? 0;
  let start = ending;
  while (start > 0 && /[.\w]/.test(path[start - 1] as string)) start -= 1;
  return (
    path.slice(0, start) +
    path.slice(start, ending).replace(/\.(?:production|prod)/, '.development') +
    path.slice(ending)
  );
}

/**
 * Returns whether a more readable twin exists: `a.development.js` for `a.production.js`, `a.mjs` or
 * `a.js` for `a.cjs`.
 */
function hasReadableTwin(path: string, all: ReadonlySet<string>): boolean {
  const development = readableName(path);
  if (development !== path && all.has(development)) return true;
  const twin = /^(.+?)\.(?:(d)\.cts|(d)\.mts|cjs|mjs)$/.exec(path);
  if (twin === null) return false;
  return (
    all.has(`${twin[1] ?? ''}.${(twin[2] ?? twin[3]) ? 'd.ts' : 'js'}`) ||
    (path.endsWith('.cjs') && all.has(`${twin[1] ?? ''}.mjs`))
  );
}

/** Selects the first form in order of a path that exists in several (`esm/a.js`, `cjs/a.js`). */
function keepBest(path: string, forms: Map<string, string>, skips: Map<string, PackageSkip>): void {
  const parts = path.split('/');
  const at = parts.findIndex((part, index) => index < parts.length - 1 && formOf(part) !== -1);
  if (at === -1) return;
  const key = [...parts.slice(0, at), '*', ...parts.slice(at + 1)]
    .join('/')
    .replace(/\.[cm]js$/, '.js')
    .replace(/\.d\.[cm]ts$/, '.d.ts');
  const other = forms.get(key);
  if (other === undefined) forms.set(key, path);
  else if (formOf(other.split('/')[at]) <= formOf(parts[at])) skips.set(path, 'built');
  else {
    skips.set(other, 'built');
    forms.set(key, path);
  }
}

/**
 * Returns the rank of a form. `lib` is a form only next to others: its files have twins in them.
 */
function formOf(folder = ''): number {
  return folder === 'lib' ? FORMS.length : FORMS.indexOf(folder);
}

function stemOf(path: string): string {
  return path.replace(DECLARATION, '').replace(/\.[^./]+$/, '');
}
