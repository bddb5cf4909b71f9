import { Seeded } from '../seeded.js';
import type { Bags } from '../texts/bags.js';
import type { KeptPair, TextCollection } from '../texts/text-collection.js';

/** Maximum number of summed terms of a text. */
const MAX_TERMS = 200;
const MIN_QUESTION_TERMS = 2;
const MIN_PASSAGE_TERMS = 5;
/** Number of held-out pairs, or their fraction if there are few. */
const HELD_OUT = 2_000;
const HELD_OUT_SHARE = 0.1;
const SEED = 2_000;

/** A text as the rows of its known terms, each with its weight 1 + ln(frequency). */
export interface TrainingText {
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
}

/** A pair for fitting vectors. */
export interface TrainingPair {
  readonly question: TrainingText;
  readonly passage: TrainingText;
  readonly of: KeptPair;
}

export interface TrainingPairs {
  readonly training: readonly TrainingPair[];
  /**
   * Never used for training. Whole documents and commits are held out, because their pairs are
   * nearly equal.
   */
  readonly heldOut: readonly TrainingPair[];
}

/**
 * Returns the pairs whose texts the vocabulary covers sufficiently, in two parts. The same texts
 * result in the same parts.
 */
export function trainingPairs(collection: TextCollection, terms: readonly string[]): TrainingPairs {
  const rowOf = collection.rowsOf(terms);
  const known = collection.pairs.flatMap((of, at): TrainingPair[] => {
    const question = textOf(collection.questions, at, rowOf);
    const passage = textOf(collection.passages, at, rowOf);
    const isEnough =
      question.rows.length >= MIN_QUESTION_TERMS && passage.rows.length >= MIN_PASSAGE_TERMS;
    return isEnough ? [{ question, passage, of }] : [];
  });
  const most = Math.min(HELD_OUT, Math.floor(known.length * HELD_OUT_SHARE));
  const groups = Map.groupBy(known, ({ of }) => of.group);
  const back = new Set<string>();
  let count = 0;
  for (const group of new Seeded(SEED).shuffled([...groups.keys()])) {
    const size = groups.get(group)?.length ?? 0;
    if (count + size > most) continue;
    back.add(group);
    count += size;
  }
  return {
    training: known.filter(({ of }) => !back.has(of.group)),
    heldOut: known.filter(({ of }) => back.has(of.group)),
  };
}

function textOf(bags: Bags, at: number, rowOf: Int32Array): TrainingText {
  const { terms, frequencies } = bags.at(at);
  const rows: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < terms.length && rows.length < MAX_TERMS; i++) {
    const row = rowOf[terms[i] as number] as number;
    if (row === -1) continue;
    rows.push(row);
    weights.push(1 + Math.log(frequencies[i] as number));
  }
  return { rows: Uint32Array.from(rows), weights: Float32Array.from(weights) };
}
