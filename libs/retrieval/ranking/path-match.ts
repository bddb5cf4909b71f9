import { analyze, splitIdentifier } from '../analysis/analyze.js';
import { WEIGHTS } from './weights.js';

/** Returns the file name without folders and extension: `src/http/session.test.ts` → `session`. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

/** Terms of a path's file stem and its parent folder. */
export interface PathTerms {
  /** Distinct terms of both. */
  readonly all: readonly string[];
  /** Words of the stem alone: `FileWatcher` → `file`, `watcher`. */
  readonly name: readonly string[];
  /** First characters of `all`; see {@link firstCharacters}. */
  readonly firsts: number;
}

/** Returns the terms of a path. */
export function pathTerms(path: string): PathTerms {
  const parent = path.split('/').at(-2) ?? '';
  const stem = fileStem(path);
  const all = [...new Set(analyze(`${stem} ${parent}`))];
  return {
    all,
    name: analyze(splitIdentifier(stem).join(' ')),
    firsts: firstCharacters(all),
  };
}

/**
 * Returns a set of bits for the first characters of terms. Without a common bit no two terms begin
 * with the same character.
 */
export function firstCharacters(terms: readonly string[]): number {
  let bits = 0;
  for (const term of terms) bits |= bitOf(term);
  return bits;
}

function bitOf(term: string): number {
  return 1 << (term.charCodeAt(0) & 31);
}

/** Compares the terms of a query with those of names. */
export class NameMatcher {
  private readonly firsts: number;

  constructor(private readonly queryTerms: readonly string[]) {
    this.firsts = firstCharacters(queryTerms);
  }

  /** Returns whether terms can match, by their first characters. */
  canMatch(firsts: number): boolean {
    return (firsts & this.firsts) !== 0;
  }

  /**
   * Returns the share of the query's terms that match a term of a name, 0–1. It is reduced by up to
   * a fifth when the name has more words than the query: `Functor` comes before
   * `ContravariantFunctor`.
   *
   * @param unmatchedName share that is lost when the query has no word of the name; default a fifth
   */
  match({ all, name, firsts }: PathTerms, unmatchedName = WEIGHTS.unmatchedFileName): number {
    if (!this.canMatch(firsts)) return 0;
    const { queryTerms } = this;
    let matched = 0;
    for (const term of queryTerms)
      if ((firsts & bitOf(term)) !== 0 && isNearAny(term, all)) matched++;
    if (matched === 0) return 0;
    let nameMatched = 0;
    for (const word of name) if (isNearAny(word, queryTerms)) nameMatched++;
    const unmatched = name.length === 0 ? 0 : 1 - nameMatched / name.length;
    return (matched / queryTerms.length) * (1 - unmatchedName * unmatched);
  }
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
