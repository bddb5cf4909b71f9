import { MEANING_ID } from '../embedding/embed-meaning.js';
import { HASH_NGRAM_ID } from '../embedding/hash-ngram.js';
import type { LegWeights, ModelProfile, SimilarityRange } from './rank.types.js';
import { WEIGHTS } from './weights.js';

/** Profile of word hashing. */
export const HASH_NGRAM: ModelProfile = {
  weights: legWeights(WEIGHTS.hashNgramLexical),
  similarityFloor: WEIGHTS.hashNgramFloor,
  similarityRange: { low: 0, high: 1 },
};

/** Profile of static term vectors whose file states no other. */
export const TERM_VECTORS: ModelProfile = {
  weights: legWeights(WEIGHTS.termVectorsLexical),
  similarityFloor: WEIGHTS.termVectorsFloor,
  similarityRange: { low: 0, high: 1 },
  questionCosines: {
    neutral: WEIGHTS.termVectorsNeutralCosine,
    deviation: WEIGHTS.termVectorsCosineDeviation,
  },
};

const BUILT_IN: ReadonlyMap<string, ModelProfile> = new Map([
  [HASH_NGRAM_ID, HASH_NGRAM],
  [MEANING_ID, TERM_VECTORS],
]);

/**
 * Profile of chunks whose vectors cannot be compared: terms alone decide. Their score is absolute
 * too, so thresholds have the same meaning.
 */
const TERMS_ALONE: ModelProfile = {
  weights: { lexical: 1, semantic: 0 },
  similarityFloor: Infinity,
  similarityRange: { low: 0, high: 1 },
};

/** Range of a model without calibration. Few models exceed it in either direction. */
const WIDE_RANGE: SimilarityRange = {
  low: WEIGHTS.learnedRangeLow,
  high: WEIGHTS.learnedRangeHigh,
};

/**
 * Returns the ranking profile of an embedding model.
 * @param embedderId undefined for chunks whose vectors cannot be compared.
 * @param range calibrated cosines of a model that is not built in.
 */
export function modelProfile(
  embedderId: string | undefined,
  range: SimilarityRange = WIDE_RANGE,
): ModelProfile {
  if (embedderId === undefined) return TERMS_ALONE;
  const builtIn = BUILT_IN.get(embedderId);
  if (builtIn) return builtIn;
  return {
    weights: legWeights(WEIGHTS.learnedLexical),
    similarityFloor: (range.low + range.high) / 2,
    similarityRange: range,
  };
}

function legWeights(lexical: number): LegWeights {
  return { lexical, semantic: 1 - lexical };
}
