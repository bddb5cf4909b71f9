import {
  embedTerms,
  HASH_NGRAM_DIMENSIONS,
  HASH_NGRAM_ID,
  hashEmbedder,
} from './embedding/hash-ngram.js';
import type { TermEmbedder } from './embedding/rows-of-terms.js';
import { HASH_NGRAM } from './ranking/model-profiles.js';
import type { ModelProfile } from './ranking/rank.types.js';

/** A model that embeds in the process, as a pure function of the terms. */
export interface LocalModel {
  /** Identity that is stored with its vectors: it covers everything that determines a vector. */
  readonly id: string;
  /** A multiple of 16. */
  readonly dimensions: number;
  /** Use of its cosines by the ranker. */
  readonly profile: ModelProfile;
  /**
   * Embeds the weighted terms of a chunk or a query: norm 1, or the zero vector if no term is
   * known.
   */
  embed(terms: readonly string[], frequencies: ArrayLike<number>): Float32Array;
  /**
   * Returns the same function for many texts over one list of terms, which may grow at its end. For
   * one text after the other, not interleaved.
   */
  over(terms: readonly string[]): TermEmbedder;
}

/** Word hashing: needs no file, does not represent meaning. */
export const WORD_HASHING: LocalModel = {
  id: HASH_NGRAM_ID,
  dimensions: HASH_NGRAM_DIMENSIONS,
  profile: HASH_NGRAM,
  embed: embedTerms,
  over: hashEmbedder,
};
