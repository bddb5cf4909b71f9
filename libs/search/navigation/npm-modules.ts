/** A longer description is not read; real ones have a few thousand characters. */
const MOST_CHARACTERS = 256 * 1024;
/** Maximum entry points of a package, and levels of conditions around one. */
const MOST_ENTRIES = 20;
const MOST_LEVELS = 5;
/** Folders of build output; a release without a second copy has the sources in `src`. */
const BUILT = /^\.\/(?:dist|lib|build|out|es|esm|cjs)\/(?:(?:es|esm|cjs|types)\/)?/;
const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;

/** The fields of `package.json` that name entry points. */
interface Description {
  readonly exports?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly types?: unknown;
  readonly typings?: unknown;
}

/**
 * Returns the modules that an import of a package can mean, relative to its root and without
 * endings, the likeliest first.
 * @param text of `package.json`; entry points are guessed without it.
 * @param subpath part of the import after the name of the package; empty for the package itself.
 */
export function npmModules(text: string | undefined, subpath: string): readonly string[] {
  const { exports, main, module, types, typings } = descriptionOf(text);
  const named = entriesOf(exports, subpath === '' ? '.' : `./${subpath}`);
  const others = subpath === '' ? [module, main, types, typings, './index'] : [`./${subpath}`];
  const entries = [...named, ...others.filter((each) => typeof each === 'string')]
    .map((each) => `./${each.replace(/^\.?\//, '')}`.replace(ENDING, ''))
    .slice(0, MOST_ENTRIES);
  const sources = entries.map((each) =>
    BUILT.test(each) ? each.replace(BUILT, './src/') : each.replace(/^\.\//, './src/'),
  );
  return [...new Set([...entries, ...sources])];
}

function descriptionOf(text = ''): Description {
  if (text.length > MOST_CHARACTERS) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** Returns the files that `exports` names for a subpath, under any condition. */
function entriesOf(exports: unknown, subpath: string): readonly string[] {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports))
    return subpath === '.' ? filesOf(exports, MOST_LEVELS) : [];
  const fields = exports as Readonly<Record<string, unknown>>;
  const hasPaths = Object.keys(fields).some((key) => key.startsWith('.'));
  if (!hasPaths) return subpath === '.' ? filesOf(exports, MOST_LEVELS) : [];
  return Object.hasOwn(fields, subpath) ? filesOf(fields[subpath], MOST_LEVELS) : [];
}

function filesOf(target: unknown, levels: number): string[] {
  if (typeof target === 'string') return [target];
  if (levels === 0 || typeof target !== 'object' || target === null) return [];
  return Object.values(target)
    .slice(0, MOST_ENTRIES)
    .flatMap((each) => filesOf(each, levels - 1))
    .slice(0, MOST_ENTRIES);
}
