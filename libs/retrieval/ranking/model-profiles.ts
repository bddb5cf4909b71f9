import { HASH_NGRAM_ID } from '../embedding/hash-ngram.js';
import type { ModelProfile, SimilarityRange } from './rank.types.js';

/**
 * Chosen on the retrieval benchmark for the built-in model. Of 23,000 chunks that share no term with a question about another
 * repository, 99.9 % have a cosine under .2.
 */
const HASH_NGRAM: ModelProfile = {
  weights: { lexical: 0.5, semantic: 0.5 },
  similarityFloor: 0.2,
  similarityRange: { low: 0, high: 1 },
};

/** No vectors to compare: the terms decide alone. Their score is absolute too, so a threshold means the same for it. */
const TERMS_ALONE: ModelProfile = {
  weights: { lexical: 1, semantic: 0 },
  similarityFloor: Infinity,
  similarityRange: { low: 0, high: 1 },
};

/** Where nothing is known about a model: few give unrelated texts less, or texts that belong together more. */
const WIDE_RANGE: SimilarityRange = { low: 0.2, high: 0.8 };

/**
 * Ranking parameters of an embedding model; of chunks whose vectors cannot be compared for undefined.
 * @param range what is known about the cosines of a model other than the built-in one.
 */
export function modelProfile(embedderId: string | undefined, range: SimilarityRange = WIDE_RANGE): ModelProfile {
  if (embedderId === undefined) return TERMS_ALONE;
  if (embedderId === HASH_NGRAM_ID) return HASH_NGRAM;
  return {
    // A learned model finds by meaning and weighs more.
    weights: { lexical: 0.3, semantic: 0.7 },
    similarityFloor: (range.low + range.high) / 2,
    similarityRange: range,
  };
}
