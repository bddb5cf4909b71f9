import type { ResearchPassage } from '../plan/action.types.js';
import type { MergedPassage } from '../plan/merge-observations.js';
import type { Understanding } from '../plan/question.types.js';
import { coveredShare, termWeights } from '../plan/term-weights.js';

/** Limits of the evidence of an answer. */
interface EvidenceLimits {
  readonly passages: number;
  /** Tokens of all passages; the best one is taken whatever its size. */
  readonly tokens: number;
}

/** Limits of an answer without a model, which a person reads as a whole. */
const EVIDENCE_LIMITS: EvidenceLimits = { passages: 12, tokens: 6_000 };
/** Passages that each repository gets before the others fill the rest. */
const OF_EACH = 3;
/** Share of the best passage's worth below which a repository gets no reserved place. */
const LEAST_SHARE = 0.3;
/** Weights of a passage's own terms and of its score, in addition to its merged rank. */
const OWN_TERMS = 1;
const OWN_SCORE = 0.5;

/** Input of the choice. */
export interface EvidenceInput {
  readonly understanding: Understanding;
  /** Merged passages, best first. */
  readonly passages: readonly MergedPassage[];
  readonly limits?: EvidenceLimits;
}

/**
 * Returns the passages that an answer may cite, best first. Each repository keeps places for its
 * best passages, because a question about two repositories needs both sides.
 */
export function chooseEvidence({
  understanding,
  passages,
  limits = EVIDENCE_LIMITS,
}: EvidenceInput): ResearchPassage[] {
  const weights = termWeights(understanding.terms, passages);
  const most = passages[0]?.value ?? 1;
  const valued = passages
    .map((passage) => ({
      passage,
      worth:
        passage.value / most +
        OWN_TERMS * coveredShare(passage, weights) +
        OWN_SCORE * Math.min(1, passage.result.score),
    }))
    .sort((a, b) => b.worth - a.worth);
  const least = LEAST_SHARE * (valued[0]?.worth ?? 0);
  const fair = [...Map.groupBy(valued, ({ passage }) => passage.repo).values()].flatMap((own) =>
    own.filter(({ worth }) => worth >= least).slice(0, OF_EACH),
  );
  const taken: (typeof valued)[number][] = [];
  let tokens = 0;
  for (const each of [...fair.sort((a, b) => b.worth - a.worth), ...valued]) {
    if (taken.length === limits.passages) break;
    const { token_count } = each.passage.result;
    const isFull = taken.length > 0 && tokens + token_count > limits.tokens;
    if (isFull || taken.includes(each)) continue;
    tokens += token_count;
    taken.push(each);
  }
  return taken
    .sort((a, b) => b.worth - a.worth)
    .map(({ passage: { repo, result } }) => ({ repo, result }));
}
