import { posix } from 'node:path';

import { OWN_PACKAGE } from './languages/go-scopes.js';

/** The files of a source that a module can be. */
export interface ModuleFiles {
  /** Returns true if a path can be the module. */
  readonly includes: (path: string) => boolean;
  /** Paths to read for names that the module passes on, the likeliest first. */
  readonly paths: readonly string[];
}

const SCRIPT_ENDINGS = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs'];
const MOST_FOLDERS = 8;
const NONE: ModuleFiles = { includes: () => false, paths: [] };

/**
 * Returns the files of a source that an import can mean, by paths alone.
 * @param from path of the file with the import.
 */
export function moduleFiles(grammar: string, from: string, module: string): ModuleFiles {
  switch (grammar) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return scriptFiles(from, module);
    case 'python':
      return pythonFiles(from, module);
    case 'java':
      return ending([`${module.replaceAll('.', '/')}.java`, `${outer(module)}.java`]);
    case 'go':
      return goFiles(from, module);
    case 'rust':
      return rustFiles(from, module);
    default:
      return NONE;
  }
}

/** Returns a module inside another one. */
export function submodule(grammar: string, module: string, name: string): string | undefined {
  if (grammar === 'python') return module.endsWith('.') ? module + name : `${module}.${name}`;
  return grammar === 'rust' && module !== '' ? `${module}::${name}` : undefined;
}

function scriptFiles(from: string, module: string): ModuleFiles {
  if (!/^\.\.?(?:\/|$)/.test(module)) return NONE;
  const base = posix.join(posix.dirname(from), module);
  const bare = base.replace(/\.[cm]?jsx?$/, '');
  const files = [...new Set([base, bare])].flatMap((path) => [
    path,
    ...SCRIPT_ENDINGS.map((ending) => path + ending),
    ...SCRIPT_ENDINGS.map((ending) => posix.join(path, `index${ending}`)),
  ]);
  const known = new Set(files);
  const likely = files.filter((path) => /(?:\.[jt]sx?|\.vue|\.svelte)$/.test(path));
  return { includes: (path) => known.has(path), paths: likely };
}

function pythonFiles(from: string, module: string): ModuleFiles {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = module.slice(dots).replaceAll('.', '/');
  const forms = rest === '' ? ['__init__.py'] : [`${rest}.py`, `${rest}/__init__.py`];
  if (dots > 0) {
    const folder = posix.join(posix.dirname(from), ...Array<string>(dots - 1).fill('..'));
    const paths = forms.map((form) => posix.join(folder, form));
    return { includes: (path) => paths.includes(path), paths };
  }
  const folders = ['.', 'src', 'lib', ...foldersOf(from)].slice(0, MOST_FOLDERS);
  const paths = folders.flatMap((folder) => forms.map((form) => posix.join(folder, form)));
  return { ...ending(forms), paths: [...new Set(paths)] };
}

function goFiles(from: string, module: string): ModuleFiles {
  const own = posix.dirname(from);
  const isPackage = (folder: string): boolean =>
    module === OWN_PACKAGE
      ? folder === own
      : folder !== '.' && (module === folder || module.endsWith(`/${folder}`));
  return {
    includes: (path) => path.endsWith('.go') && isPackage(posix.dirname(path)),
    paths: [],
  };
}

function rustFiles(from: string, module: string): ModuleFiles {
  const [first = '', ...rest] = module.split('::');
  const folder = posix.dirname(from);
  const isRoot = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from);
  const inner = isRoot ? folder : from.replace(/\.rs$/, '');
  const crate = /^(?:.*\/)?src(?=\/)/.exec(from)?.[0] ?? folder;
  let base = inner;
  let names = rest;
  if (first === 'crate') base = crate;
  else if (first === 'super') {
    base = posix.dirname(inner);
    while (names[0] === 'super') [base, names] = [posix.dirname(base), names.slice(1)];
  } else if (first !== 'self') names = [first, ...rest];
  const at = posix.join(base, ...names);
  const roots = names.length === 0 ? [`${at}/lib.rs`, `${at}/main.rs`] : [];
  const paths = [`${at}.rs`, posix.join(at, 'mod.rs'), ...roots];
  return { includes: (path) => paths.includes(path), paths };
}

/** Returns the folders around a file, the nearest first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(path); at !== '.' && at !== '/'; at = posix.dirname(at))
    folders.push(at);
  return folders;
}

function outer(module: string): string {
  return module.split('.').slice(0, -1).join('/');
}

function ending(forms: readonly string[]): ModuleFiles {
  return {
    includes: (path) => forms.some((form) => path === form || path.endsWith(`/${form}`)),
    paths: [],
  };
}
