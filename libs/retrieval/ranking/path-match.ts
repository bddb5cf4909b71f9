import { analyse } from '../analysis/analyse.js';

const MIN_PREFIX = 3;

/** File name without folders and extension: `src/http/session.test.ts` → `session`. */
export function fileStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}

/** Distinct terms of a path's file stem and parent folder. */
export function pathTerms(path: string): readonly string[] {
  const parent = path.split('/').at(-2) ?? '';
  return [...new Set(analyse(`${fileStem(path)} ${parent}`))];
}

/** Share of the query's terms that equal a path term, or are a prefix of one or the other way round (3 characters at least). */
export function pathMatch(queryTerms: readonly string[], terms: readonly string[]): number {
  if (queryTerms.length === 0) return 0;
  let matched = 0;
  for (const term of queryTerms) if (terms.some((other) => near(term, other))) matched++;
  return matched / queryTerms.length;
}

function near(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_PREFIX && long.startsWith(short);
}
