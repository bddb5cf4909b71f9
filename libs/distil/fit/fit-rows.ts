import { Seeded } from '../seeded.js';
import { contrast } from './contrast.js';
import { SparseAdam } from './sparse-adam.js';
import { passSlopesOn, textVectors } from './text-vectors.js';
import type { TrainingPair, TrainingText } from './training-texts.js';

/** Settings of the fit; the defaults performed best on public repositories. */
export interface FitSettings {
  /** Passes over the pairs. 0 keeps the initial vectors. */
  readonly passes: number;
  readonly batch: number;
  /** Initial value; it decreases linearly to a twentieth. */
  readonly learningRate: number;
  readonly temperature: number;
  /**
   * Probability of removing a term of a question that its passage has too, so that synonyms are
   * learned.
   */
  readonly dropShared: number;
  /** Weight of the teacher's vectors of whole texts relative to the pairs. */
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

/** Whole texts with the teacher's vectors: norm 1, in the space of the rows, row after row. */
export interface TaughtTexts {
  readonly texts: readonly TrainingText[];
  readonly vectors: Float32Array;
}

/** A progress report of a fit: its progress, and the means of its losses since the last report. */
export interface FitProgress {
  readonly step: number;
  readonly steps: number;
  /** Loss of the pairs (InfoNCE). */
  readonly loss: number;
  /** 1 − cosine to the teacher's vectors; 0 without such texts. */
  readonly distance: number;
}

/** Share of batches from one repository, whose other passages are hard to distinguish. */
const ONE_REPOSITORY = 0.5;
const LAST_RATE = 0.05;
const MIN_TERMS = 2;
/** Maximum number of the teacher's texts in a step. */
const MAX_TAUGHT = 256;
const REPORTS = 10;

/**
 * Fits rows in place, so that questions approach their passages and texts the teacher's vectors.
 * The same input results in the same rows.
 *
 * @param rows of the terms, `width` numbers each.
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
    // Repositories by size: that of a randomly drawn pair.
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
  if (kept.length < MIN_TERMS || kept.length === question.rows.length) return question;
  return {
    rows: Uint32Array.from(kept, (at) => question.rows[at] as number),
    weights: Float32Array.from(kept, (at) => question.weights[at] as number),
  };
}
