import { Seeded } from '../seeded.js';
import { contrast } from './contrast.js';
import { SparseAdam } from './sparse-adam.js';
import { passSlopesOn, textVectors } from './text-vectors.js';
import type { TrainingPair, TrainingText } from './training-texts.js';

/** How vectors are fitted; the defaults are what served best on public repositories. */
export interface FitSettings {
  /** Over the pairs. 0 keeps the vectors as they start. */
  readonly passes: number;
  readonly batch: number;
  /** At the beginning; it falls linearly to a twentieth. */
  readonly learningRate: number;
  readonly temperature: number;
  /**
   * Chance that a term of a question is left out which its passage has too: synonyms are learnt
   * where words do not help.
   */
  readonly dropShared: number;
  /** Of what the teacher says of whole texts, against what the pairs say. */
  readonly teacherWeight: number;
  readonly seed: number;
}

export const FIT_DEFAULTS: FitSettings = {
  passes: 1,
  batch: 512,
  learningRate: 0.002,
  temperature: 0.06,
  dropShared: 0.5,
  teacherWeight: 1,
  seed: 1,
};

/**
 * Whole texts, and where the teacher puts each: vectors of norm 1 in the space of the rows, row
 * after row.
 */
export interface TaughtTexts {
  readonly texts: readonly TrainingText[];
  readonly vectors: Float32Array;
}

/**
 * What a fit says of itself now and then: how far it is, and the means of its losses since it last
 * said so.
 */
export interface FitProgress {
  readonly step: number;
  readonly steps: number;
  /** Of the pairs (InfoNCE). */
  readonly loss: number;
  /** 1 − cosine to the teacher's vectors; 0 where nothing is taught. */
  readonly distance: number;
}

/**
 * Half of the batches are of one repository, where others' passages are hard to tell from one's
 * own.
 */
const ONE_REPOSITORY = 0.5;
const LAST_RATE = 0.05;
const LEAST_TERMS = 2;
/** Texts of the teacher in a step. */
const MAX_TAUGHT = 256;
const REPORTS = 10;

/**
 * Fits rows in place, so that questions come near their passages and texts near where the teacher
 * puts them. The same input gives the same rows.
 *
 * @param rows of the terms, `width` numbers each
 */
export function fitRows(
  rows: Float32Array,
  width: number,
  pairs: readonly TrainingPair[],
  taught: TaughtTexts,
  settings: FitSettings,
  report: (progress: FitProgress) => void,
): void {
  const { batch, temperature, teacherWeight, learningRate } = settings;
  const random = new Seeded(settings.seed);
  const adam = new SparseAdam(rows, width);
  const drawBatch = batchesOf(pairs, batch, random);
  const steps = Math.ceil((settings.passes * pairs.length) / batch);
  let losses = 0;
  let distances = 0;
  let since = 0;
  for (let step = 0; step < steps; step++) {
    const drawn = drawBatch();
    const asked = drawn.map((pair) => withoutShared(pair, settings.dropShared, random));
    const questions = textVectors(asked, rows, width);
    const passages = textVectors(
      drawn.map(({ passage }) => passage),
      rows,
      width,
    );
    const slopes = contrast(questions.vectors, passages.vectors, { width, temperature });
    passSlopesOn(questions, slopes.questions, adam, width);
    passSlopesOn(passages, slopes.passages, adam, width);
    losses += slopes.loss;
    if (teacherWeight > 0) distances += followTeacher(taught);
    adam.step(learningRate * Math.max(LAST_RATE, 1 - step / steps));
    since += 1;
    if (step + 1 === steps || (step + 1) % Math.ceil(steps / REPORTS) === 0) {
      report({ step: step + 1, steps, loss: losses / since, distance: distances / since });
      losses = distances = since = 0;
    }
  }

  function followTeacher({ texts, vectors: wanted }: TaughtTexts): number {
    const count = Math.min(MAX_TAUGHT, texts.length);
    if (count === 0) return 0;
    const places = Array.from({ length: count }, () => random.below(texts.length));
    const are = textVectors(
      places.map((place) => texts[place] as TrainingText),
      rows,
      width,
    );
    const towards = new Float32Array(count * width);
    let cosines = 0;
    places.forEach((place, at) => {
      for (let k = 0; k < width; k++) {
        const value = wanted[place * width + k] as number;
        cosines += value * (are.vectors[at * width + k] as number);
        towards[at * width + k] = (-teacherWeight / count) * value;
      }
    });
    passSlopesOn(are, towards, adam, width);
    return 1 - cosines / count;
  }
}

function batchesOf(
  pairs: readonly TrainingPair[],
  size: number,
  random: Seeded,
): () => readonly TrainingPair[] {
  const repositories = [...Map.groupBy(pairs, ({ of }) => of.repository).values()];
  return () => {
    if (random.next() >= ONE_REPOSITORY) return random.sample(pairs, size);
    // By their sizes: that of a pair drawn by chance.
    let nth = random.below(pairs.length);
    const drawn = repositories.find((of) => (nth -= of.length) < 0) ?? pairs;
    return random.sample(drawn, size);
  };
}

function withoutShared(
  { question, passage }: TrainingPair,
  chance: number,
  random: Seeded,
): TrainingText {
  if (chance === 0) return question;
  const shared = new Set(passage.rows);
  const kept: number[] = [];
  question.rows.forEach((row, at) => {
    if (!shared.has(row) || random.next() >= chance) kept.push(at);
  });
  if (kept.length < LEAST_TERMS || kept.length === question.rows.length) return question;
  return {
    rows: Uint32Array.from(kept, (at) => question.rows[at] as number),
    weights: Float32Array.from(kept, (at) => question.weights[at] as number),
  };
}
