import type { AnalysedQuery } from '../analysis/analyse-query.js';
import { bump } from './bump.js';
import type { RankCandidate, Scored } from './rank.types.js';

const ASKED_FOR = 0.75;

/**
 * The files that the query gives by their name or the end of their path and by nothing else (`sessions.py`,
 * `flask/sessions.py`), letters of either case. Told by the paths that were found, not by a list of endings: `Session.get`
 * stays a qualified name where no file is called so.
 */
export function askedFiles<C extends RankCandidate>(
  { text }: AnalysedQuery,
  scored: readonly Scored<C>[],
): ReadonlySet<number> {
  const asked = text.trim().replace(/^(?:\.?\/)+/, '');
  if (!/^[^\s]*[./][^\s]*$/.test(asked)) return new Set();
  const end = `/${asked.toLowerCase()}`;
  const files = scored.filter(({ candidate }) => `/${candidate.path.toLowerCase()}`.endsWith(end));
  return new Set(files.map(({ file }) => file));
}

export function boostAskedFiles<C extends RankCandidate>(
  asked: ReadonlySet<number>,
  scored: readonly Scored<C>[],
): void {
  if (asked.size === 0) return;
  for (const entry of scored) if (asked.has(entry.file)) entry.score = bump(entry.score, ASKED_FOR);
}
