import { MEANING_ID } from '../embedding/embed-meaning.js';
import { HASH_NGRAM_ID } from '../embedding/hash-ngram.js';
import type { ModelProfile, SimilarityRange } from './rank.types.js';

/**
 * Chosen on the retrieval benchmark for word hashing. Of 23,000 chunks that share no term with a
 * question about another repository, 99.9 % have a cosine under .2.
 */
export const HASH_NGRAM: ModelProfile = {
  weights: { lexical: 0.5, semantic: 0.5 },
  similarityFloor: 0.2,
  similarityRange: { low: 0, high: 1 },
};

/** Of static term vectors, where their file says nothing else. */
export const TERM_VECTORS: ModelProfile = {
  weights: { lexical: 0.5, semantic: 0.5 },
  similarityFloor: 0.3,
  similarityRange: { low: 0, high: 1 },
  // Chosen on the choosing half of the questions in people's words.
  questionCosines: { neutral: 0, deviation: 0.1 },
};

const BUILT_IN: ReadonlyMap<string, ModelProfile> = new Map([
  [HASH_NGRAM_ID, HASH_NGRAM],
  [MEANING_ID, TERM_VECTORS],
]);

/**
 * No vectors to compare: the terms decide alone. Their score is absolute too, so a threshold means
 * the same for it.
 */
const TERMS_ALONE: ModelProfile = {
  weights: { lexical: 1, semantic: 0 },
  similarityFloor: Infinity,
  similarityRange: { low: 0, high: 1 },
};

/**
 * Where nothing is known about a model: few give unrelated texts less, or texts that belong
 * together more.
 */
const WIDE_RANGE: SimilarityRange = { low: 0.2, high: 0.8 };

/**
 * Ranking parameters of an embedding model; of chunks whose vectors cannot be compared for
 * undefined.
 * @param range what is known about the cosines of a model that is not built in.
 */
export function modelProfile(
  embedderId: string | undefined,
  range: SimilarityRange = WIDE_RANGE,
): ModelProfile {
  if (embedderId === undefined) return TERMS_ALONE;
  const builtIn = BUILT_IN.get(embedderId);
  if (builtIn) return builtIn;
  return {
    // A learned model finds by meaning and weighs more.
    weights: { lexical: 0.3, semantic: 0.7 },
    similarityFloor: (range.low + range.high) / 2,
    similarityRange: range,
  };
}
