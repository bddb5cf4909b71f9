/**
 * Returns random numbers that a seed determines (mulberry32), from 0 (inclusive) to 1 (exclusive).
 * A seed gives the same numbers in every release, so results can be reproduced. Not for secrets.
 *
 * @param seed of which 32 bits count.
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
