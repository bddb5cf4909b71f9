import { meanRow, normaliseRows, subtractRow } from './matrix.js';
import { principalAxes, project } from './principal-axes.js';

/**
 * Narrows a teacher's vectors to the directions in which those of words differ most. Vectors are
 * centred on the mean of their own kind, since a model puts words, questions and passages apart.
 */
export class WordSpace {
  private constructor(
    private readonly axes: Float32Array,
    private readonly width: number,
  ) {}

  /**
   * @param words the teacher's vectors of words, `width` numbers each, the most frequent first;
   * they are centred in place
   */
  static of(words: Float32Array, width: number, dimensions: number): WordSpace {
    subtractRow(words, meanRow(words, width));
    return new WordSpace(principalAxes(words, width, dimensions), width);
  }

  /** Vectors of one kind, centred in place; what comes back has norm 1. */
  narrow(vectors: Float32Array): Float32Array {
    subtractRow(vectors, meanRow(vectors, this.width));
    const narrow = project(vectors, this.axes, this.width);
    normaliseRows(narrow, this.axes.length / this.width);
    return narrow;
  }
}

/** The rows that a fit starts from: each word's direction times its rarity, at a mean norm of 1. */
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
