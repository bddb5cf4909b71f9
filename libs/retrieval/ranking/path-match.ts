import { analyze, splitIdentifier } from '../analysis/analyze.js';
import { remember } from '../bounded-cache.js';
import { WEIGHTS } from './weights.js';

/** Returns the file name without folders and extension: `src/http/session.test.ts` → `session`. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

const MAX_CACHED_PATHS = 20_000;

/** Terms of a path's file stem and its parent folder. */
export interface PathTerms {
  /** Distinct terms of both. */
  readonly all: readonly string[];
  /** Words of the stem alone: `FileWatcher` → `file`, `watcher`. */
  readonly name: readonly string[];
}

export const pathTerms: (path: string) => PathTerms = remember((path) => {
  const parent = path.split('/').at(-2) ?? '';
  const stem = fileStem(path);
  return {
    all: [...new Set(analyze(`${stem} ${parent}`))],
    name: analyze(splitIdentifier(stem).join(' ')),
  };
}, MAX_CACHED_PATHS);

/**
 * Returns the share of the query's terms that match a path term, 0–1. It is reduced by up to a
 * fifth when the file's own name has more words than the query: `Functor` comes before
 * `ContravariantFunctor`. @param unmatchedName share that is lost when the query has no word of the
 * name; default a fifth
 */
export function pathMatch(
  queryTerms: readonly string[],
  { all, name }: PathTerms,
  unmatchedName = WEIGHTS.unmatchedFileName,
): number {
  if (queryTerms.length === 0) return 0;
  let matched = 0;
  for (const term of queryTerms) if (isNearAny(term, all)) matched++;
  if (matched === 0) return 0;
  let nameMatched = 0;
  for (const word of name) if (isNearAny(word, queryTerms)) nameMatched++;
  const unmatched = name.length === 0 ? 0 : 1 - nameMatched / name.length;
  return (matched / queryTerms.length) * (1 - unmatchedName * unmatched);
}

function isNearAny(term: string, others: readonly string[]): boolean {
  for (const other of others) if (near(term, other)) return true;
  return false;
}

/**
 * Returns whether two terms are equal, one is the beginning of the other (3 characters at least),
 * or both share a long beginning.
 */
function near(a: string, b: string): boolean {
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  const short = a.length < b.length ? a : b;
  const long = short === a ? b : a;
  let common = 1;
  while (common < short.length && short.charCodeAt(common) === long.charCodeAt(common)) common++;
  if (common === short.length) return common === long.length || common >= WEIGHTS.minPrefix;
  return common >= WEIGHTS.minCommonPrefix && common >= WEIGHTS.commonPrefixShare * long.length;
}
