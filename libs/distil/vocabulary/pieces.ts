/** Lengths of the pieces, in UTF-16 units; `<` and `>` at the ends of a word count. */
export const PIECE_SIZES: readonly number[] = [3, 4, 5];

/** A piece of fewer words describes these words instead of unknown ones. */
const MIN_WORDS = 4;

/** The pieces that get a vector, and the pieces of each word. */
export interface Pieces {
  /** Keys with their `#`. */
  readonly keys: readonly string[];
  /** The pieces of each word, in order, with repetitions. */
  readonly ofWords: readonly Uint32Array[];
}

/** Returns the most frequent pieces, up to a maximum. */
export function choosePieces(words: readonly string[], most: number): Pieces {
  const counts = new Map<string, number>();
  for (const word of words)
    for (const piece of new Set(cut(word))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const keys = [...counts]
    .filter(([, count]) => count >= MIN_WORDS)
    .sort(([a, of], [b, others]) => others - of || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([piece]) => piece);
  const rows = new Map(keys.map((key, row) => [key, row]));
  const ofWords = words.map((word) =>
    Uint32Array.from(cut(word).flatMap((piece) => rows.get(piece) ?? [])),
  );
  return { keys, ofWords };
}

function cut(word: string): string[] {
  const marked = `<${word}>`;
  return PIECE_SIZES.flatMap((size) =>
    Array.from(
      { length: Math.max(0, marked.length - size + 1) },
      (_, at) => `#${marked.slice(at, at + size)}`,
    ),
  );
}

/** Rounds of the estimate; more rounds fit known words better and unknown ones worse. */
const ROUNDS = 12;

/**
 * Computes a vector for each piece, so that the mean of a word's pieces approximates the word's own
 * vector. It solves least squares by simultaneous iterative reconstruction, starting from the mean
 * of the words with the piece.
 *
 * @param rows of the words, `dimensions` each.
 * @returns rows of the pieces, `dimensions` each.
 */
export function fitPieces(
  { keys, ofWords }: Pieces,
  rows: Float32Array,
  dimensions: number,
): Float32Array {
  const vectors = new Float32Array(keys.length * dimensions);
  const change = new Float32Array(vectors.length);
  const shares = new Float64Array(keys.length);
  for (const pieces of ofWords)
    for (const piece of pieces) shares[piece] = (shares[piece] as number) + 1 / pieces.length;
  const rest = new Float64Array(dimensions);
  for (let round = 0; round <= ROUNDS; round++) {
    change.fill(0);
    ofWords.forEach((pieces, word) => {
      if (pieces.length === 0) return;
      for (let at = 0; at < dimensions; at++) rest[at] = rows[word * dimensions + at] as number;
      for (const piece of pieces) {
        for (let at = 0; at < dimensions; at++)
          rest[at] =
            (rest[at] as number) - (vectors[piece * dimensions + at] as number) / pieces.length;
      }
      for (const piece of pieces) {
        const share = 1 / pieces.length / (shares[piece] as number);
        const from = piece * dimensions;
        for (let at = 0; at < dimensions; at++)
          change[from + at] = (change[from + at] as number) + share * (rest[at] as number);
      }
    });
    for (let at = 0; at < vectors.length; at++)
      vectors[at] = (vectors[at] as number) + (change[at] as number);
  }
  return vectors;
}
