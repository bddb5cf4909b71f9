import { Seeded } from '../seeded.js';
import type { Bags } from '../texts/bags.js';
import type { KeptPair, TextCollection } from '../texts/text-collection.js';

/** Terms of a text that are summed at most. */
const MAX_TERMS = 200;
const LEAST_QUESTION_TERMS = 2;
const LEAST_PASSAGE_TERMS = 5;
/** Pairs that are kept back, and of few pairs this part. */
const HELD_OUT = 2_000;
const HELD_OUT_SHARE = 0.1;
const SEED = 2_000;

/** A text as the rows of its known terms, each with its weight 1 + ln(frequency). */
export interface TrainingText {
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
}

/** A pair that vectors can be fitted by. */
export interface TrainingPair {
  readonly question: TrainingText;
  readonly passage: TrainingText;
  readonly of: KeptPair;
}

export interface TrainingPairs {
  readonly training: readonly TrainingPair[];
  /**
   * Never trained with: whole documents and commits are kept back, since their pairs say nearly the
   * same.
   */
  readonly heldOut: readonly TrainingPair[];
}

/**
 * The pairs whose texts the vocabulary knows well enough, in two parts. The same texts give the
 * same parts.
 */
export function trainingPairs(collection: TextCollection, terms: readonly string[]): TrainingPairs {
  const rowOf = collection.rowsOf(terms);
  const known = collection.pairs.flatMap((of, at): TrainingPair[] => {
    const question = textOf(collection.questions, at, rowOf);
    const passage = textOf(collection.passages, at, rowOf);
    const isEnough =
      question.rows.length >= LEAST_QUESTION_TERMS && passage.rows.length >= LEAST_PASSAGE_TERMS;
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
