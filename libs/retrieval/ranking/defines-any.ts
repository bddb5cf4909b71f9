import type { RankCandidate } from './rank.types.js';

/** Whether a chunk defines one of some names, exactly. */
export function definesAny({ defs }: RankCandidate, names: readonly string[]): boolean {
  return names.length > 0 && defs.some((name) => names.includes(name));
}
