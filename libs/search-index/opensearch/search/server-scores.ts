import { BM25_B, BM25_K1 } from '#retrieval';

/** A found row with the values of its score. */
export interface ScoredRow {
  /** As the server computed it. */
  readonly score: number;
  /** Weighted length in terms. */
  readonly length: number;
  /** Weighted frequency of each term of the query. */
  readonly frequencies: ArrayLike<number>;
}

/** The values of exact scores that are equal for all rows. */
export interface ExactWeights {
  /** Weight of each term. */
  readonly weights: readonly number[];
  /** Share of the length in the denominator, per term of the length. */
  readonly slope: number;
}

/** Lengths below it are exact in Lucene's norms; longer ones keep four significant bits. */
const EXACT_LENGTHS = 24;
/** Rows whose scores must agree before the server's formula counts as known. */
const CHECKED_ROWS = 8;
/** Relative error of scores: the server adds and returns numbers of single precision. */
const PRECISION = 1e-4;
const HALVINGS = 60;
/** Ratio of the server's slope to the exact one beyond which it counts as unknown. */
const MOST = 64;

/**
 * Returns the highest ratio of exact score to server score that any row of a shard can have.
 *
 * The server computes the same formula with rounded lengths, which are never too long, and with the
 * average length of its shard. So a ratio exceeds 1 only if that average is too short, and at most
 * by the ratio of the averages. The average is computed from returned rows.
 *
 * @param rows found by one search in one shard.
 * @returns undefined if the scores of the rows do not follow the formula.
 */
export function highestRatio(rows: readonly ScoredRow[], exact: ExactWeights): number | undefined {
  const scored = rows.filter(({ score, length }) => score > 0 && length > 0);
  const longest = scored.sort((a, b) => b.length - a.length).slice(0, CHECKED_ROWS);
  const [first] = longest;
  if (!first) return undefined;
  const slope = slopeOf(first, exact);
  const follows = longest.every((row) => isNear(scoreOf(row, exact.weights, slope), row.score));
  return follows ? Math.max(1, slope / exact.slope) * (1 + PRECISION) : undefined;
}

/** Returns the slope at which the formula gives the score of a row, by bisection. */
function slopeOf(row: ScoredRow, { weights, slope }: ExactWeights): number {
  let [low, high] = [0, slope * MOST];
  for (let at = 0; at < HALVINGS; at += 1) {
    const middle = (low + high) / 2;
    // A steeper slope lowers the score.
    if (scoreOf(row, weights, middle) > row.score) low = middle;
    else high = middle;
  }
  return high;
}

function scoreOf(row: ScoredRow, weights: readonly number[], slope: number): number {
  const base = BM25_K1 * (1 - BM25_B) + slope * roundedLength(row.length);
  return weights.reduce((sum, weight, at) => {
    const frequency = row.frequencies[at] ?? 0;
    return frequency === 0 ? sum : sum + (weight * frequency) / (frequency + base);
  }, 0);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= PRECISION * other;
}

/** Returns a length as Lucene's norms keep it. */
export function roundedLength(length: number): number {
  const rest = length - EXACT_LENGTHS;
  if (rest < 8) return length;
  const step = 2 ** (Math.floor(Math.log2(rest)) - 3);
  return EXACT_LENGTHS + Math.floor(rest / step) * step;
}
