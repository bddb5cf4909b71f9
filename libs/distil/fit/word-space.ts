import { meanRow, normalizeRows, subtractRow } from './matrix.js';
import { principalAxes, project } from './principal-axes.js';

/**
 * Reduces a teacher's vectors to the directions of greatest variance among words. Vectors are
 * centered on the mean of their own kind, because a model separates words, questions and passages.
 */
export class WordSpace {
  private constructor(
    private readonly axes: Float32Array,
    private readonly width: number,
  ) {}

  /**
   * @param words the teacher's vectors of words, `width` numbers each, the most frequent first;
   * centered in place.
   */
  static of(words: Float32Array, width: number, dimensions: number): WordSpace {
    subtractRow(words, meanRow(words, width));
    return new WordSpace(principalAxes(words, width, dimensions), width);
  }

  /** Reduces vectors of one kind, centered in place; the results have norm 1. */
  narrow(vectors: Float32Array): Float32Array {
    subtractRow(vectors, meanRow(vectors, this.width));
    const narrow = project(vectors, this.axes, this.width);
    normalizeRows(narrow, this.axes.length / this.width);
    return narrow;
  }
}

/**
 * Returns the initial rows of a fit: each word's direction times its rarity, with a mean norm of 1.
 */
export function startingRows(
  directions: Float32Array,
  rarities: Float32Array,
  dimensions: number,
): Float32Array {
  const rows = directions.slice();
  const mean = rarities.reduce((sum, rarity) => sum + rarity, 0) / rarities.length;
  for (let at = 0; at < rows.length; at++) {
    rows[at] = ((rows[at] as number) * (rarities[Math.floor(at / dimensions)] as number)) / mean;
  }
  return rows;
}
