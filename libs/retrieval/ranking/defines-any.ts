import type { RankCandidate } from './rank.types.js';

/** Whether a chunk defines one of some names, exactly. */
export function definesAny(candidate: RankCandidate, names: readonly string[]): boolean {
  return names.some((name) => candidate.defines(name));
}
