import { analyse } from '../analysis/analyse.js';
import { remember } from '../bounded-cache.js';

const MIN_PREFIX = 3;

/** File name without folders and extension: `src/http/session.test.ts` → `session`. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

const MAX_CACHED_PATHS = 20_000;

/** Distinct terms of a path's file stem and parent folder. */
export const pathTerms: (path: string) => readonly string[] = remember((path) => {
  const parent = path.split('/').at(-2) ?? '';
  return [...new Set(analyse(`${fileStem(path)} ${parent}`))];
}, MAX_CACHED_PATHS);

/** Share of the query's terms that equal a path term, or are a prefix of one or the other way round (3 characters at least). */
export function pathMatch(queryTerms: readonly string[], terms: readonly string[]): number {
  if (queryTerms.length === 0) return 0;
  let matched = 0;
  for (const term of queryTerms) if (terms.some((other) => near(term, other))) matched++;
  return matched / queryTerms.length;
}

function near(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length < b.length) return a.length >= MIN_PREFIX && b.startsWith(a);
  return b.length >= MIN_PREFIX && a.startsWith(b);
}
