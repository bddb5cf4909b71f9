/** Raises a score towards 1 by the share `strength × match` of what is missing: order matters little, and 1 is never passed. */
export function bump(score: number, strength: number, match = 1): number {
  return score + (1 - score) * strength * match;
}
