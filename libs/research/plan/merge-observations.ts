import type { ActionPurpose, Observation, ResearchPassage } from './action.types.js';

/** Weight of an action's list. Exact lookups are precise, and searches by path are narrow. */
const WEIGHTS: Readonly<Record<ActionPurpose, number>> = {
  question: 1,
  definition: 0.9,
  path: 0.5,
  import: 0.3,
  caller: 0.7,
  test: 0.4,
  term: 0.5,
};
const SMOOTHING = 5;

/** A passage with its merged value over all searches. */
export interface MergedPassage extends ResearchPassage {
  /** Sum over the lists that have it; comparable within one job. */
  readonly value: number;
}

/**
 * Merges the results of all searches by weighted reciprocal rank. A chunk that several searches
 * found is one passage, with its longest text. The order is total, so equal input gives equal
 * output.
 */
export function mergeObservations(observations: readonly Observation[]): MergedPassage[] {
  const merged = new Map<string, MergedPassage>();
  for (const { action, passages } of observations) {
    const weight = WEIGHTS[action.purpose];
    for (const [at, passage] of passages.entries()) {
      const key = passageKey(passage);
      const value = weight / (SMOOTHING + at + 1);
      const before = merged.get(key);
      if (!before) merged.set(key, { ...passage, value });
      else merged.set(key, { ...longer(before, passage), value: before.value + value });
    }
  }
  return [...merged.values()].sort(
    (a, b) => b.value - a.value || (passageKey(a) < passageKey(b) ? -1 : 1),
  );
}

/** Returns the identity of a passage within a job. */
export function passageKey({ repo, result: { citation } }: ResearchPassage): string {
  return `${repo}\n${citation.path}\n${citation.chunk_id}`;
}

function longer(one: ResearchPassage, other: ResearchPassage): ResearchPassage {
  const { repo, result } = other.result.content.length > one.result.content.length ? other : one;
  return { repo, result: { ...result, score: Math.max(one.result.score, other.result.score) } };
}
