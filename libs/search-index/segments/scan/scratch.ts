import { PlaceScores } from './place-scores.js';
import { WordScores } from './word-scores.js';

/** Memory of one search at a time. */
export interface Scratch {
  /** Scores by words; all 0 between two segments. */
  readonly words: WordScores;
  /** Scores by words of listed packs; all 0 between two directories. */
  readonly places: PlaceScores;
  /** Dot products of the query with the vectors of a scope. */
  products: Int32Array;
  /** Estimates of the products of a scope whose vectors have signatures. */
  estimates: Int16Array;
}

export function createScratch(): Scratch {
  return {
    words: new WordScores(),
    places: new PlaceScores(),
    products: new Int32Array(),
    estimates: new Int16Array(),
  };
}
