import { createTermHasher, frequencyWeight, scaleTo, type TermHasher } from './hash-ngram.js';
import { RowsOfTerms, type TermEmbedder } from './rows-of-terms.js';
import type { TermVectors } from './term-vectors.js';

/**
 * Identity of the built-in model of meaning: the file of that name, whose content never changes.
 */
export const MEANING_ID = 'meaning-v1';

/** Model with static vectors of terms in addition to hashed ones. */
export interface MeaningModel {
  readonly vectors: TermVectors;
  /** Dimensions of the terms' vectors; they come last. */
  readonly dimensions: number;
  /** Dimensions of the hashed part, which comes first; 0 for none. */
  readonly hashedDimensions: number;
  /** Share of the squared norm for the terms' vectors: above 0, at most 1. */
  readonly share: number;
  readonly hasher: TermHasher;
}

export function createMeaningModel(parts: Omit<MeaningModel, 'hasher'>): MeaningModel {
  return { ...parts, hasher: createTermHasher(parts.hashedDimensions) };
}

/**
 * Embeds a weighted term stream, of a chunk or of a query alike. The vector has word hashing and
 * the sum of the terms' own vectors, each times 1 + ln(frequency). The terms' vectors have the
 * model's share of the squared norm; the whole has norm 1. A term that the model does not know
 * counts by its pieces. A term without a known piece counts only in the hashed part, which has the
 * whole norm when no term is known. No terms give the zero vector. A pure function.
 */
export function embedMeaning(
  model: MeaningModel,
  terms: readonly string[],
  frequencies: ArrayLike<number>,
): Float32Array {
  return meaningEmbedder(model, terms)(
    terms.map((_, place) => place),
    frequencies,
  );
}

/**
 * Returns the same function for many texts over one list of terms: each term is looked up once for
 * all of them.
 */
export function meaningEmbedder(model: MeaningModel, terms: readonly string[]): TermEmbedder {
  const { vectors, dimensions, hashedDimensions, share, hasher } = model;
  const words = new RowsOfTerms(hasher, terms);
  const meanings = new RowsOfTerms(vectors, terms);
  return (places, frequencies) => {
    const whole = new Float32Array(hashedDimensions + dimensions);
    const hashed = whole.subarray(0, hashedDimensions);
    const meant = whole.subarray(hashedDimensions);
    vectors.clear();
    for (let i = 0; i < places.length; i++) {
      const weight = frequencyWeight(frequencies[i] as number);
      if (hashedDimensions > 0) hasher.addRow(hashed, words.at(places[i] as number), weight);
      const row = meanings.at(places[i] as number);
      if (row !== -1) vectors.addRow(row, weight);
    }
    vectors.copySumTo(meant);
    const isMeant = scaleTo(Math.sqrt(share), meant);
    const isHashed = scaleTo(isMeant ? Math.sqrt(1 - share) : 1, hashed);
    if (isMeant && !isHashed) scaleTo(1, meant);
    return whole;
  };
}
