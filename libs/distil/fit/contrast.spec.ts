import { describe, expect, it } from '@jest/globals';

import { Seeded } from '../seeded.js';
import { contrast } from './contrast.js';
import { SparseAdam } from './sparse-adam.js';
import { passSlopesOn, textVectors } from './text-vectors.js';
import type { TrainingText } from './training-texts.js';

const WIDTH = 16;
const TEMPERATURE = 0.3;
const text = (...rows: number[]): TrainingText => ({
  rows: Uint32Array.from(rows),
  weights: Float32Array.from(rows, (row) => 1 + (row % 3) / 2),
});
const QUESTIONS = [text(0, 1), text(2, 3), text(4), text(1, 5), text(6, 0)];
const PASSAGES = [text(7, 8, 0), text(9, 3), text(8, 4), text(10, 11), text(2, 7)];

function startingRows(): Float32Array {
  const random = new Seeded(7);
  return Float32Array.from({ length: 12 * WIDTH }, () => random.next() - 0.5);
}

function lossOf(rows: Float32Array) {
  const questions = textVectors(QUESTIONS, rows, WIDTH);
  const passages = textVectors(PASSAGES, rows, WIDTH);
  return { questions, passages, ...contrastOf(questions.vectors, passages.vectors) };
}

function contrastOf(questions: Float32Array, passages: Float32Array) {
  const {
    loss,
    questions: ofQuestions,
    passages: ofPassages,
  } = contrast(questions, passages, {
    width: WIDTH,
    temperature: TEMPERATURE,
  });
  return { loss, ofQuestions, ofPassages };
}

describe('the contrast of a batch', () => {
  it('is ln of the pairs if nothing is distinguished, and 0 if everything is', () => {
    const same = Float32Array.from({ length: 8 * WIDTH }, (_, at) => (at % WIDTH === 0 ? 1 : 0));
    expect(contrastOf(same, same).loss).toBeCloseTo(Math.log(8), 4);
    const apart = Float32Array.from({ length: 8 * WIDTH }, (_, at) =>
      at % WIDTH === Math.floor(at / WIDTH) ? 1 : 0,
    );
    expect(contrast(apart, apart, { width: WIDTH, temperature: 0.05 }).loss).toBeLessThan(1e-4);
  });

  it('has the gradients that its loss shows when a row is moved', () => {
    const rows = startingRows();
    const { questions, passages, ofQuestions, ofPassages } = lossOf(rows);
    const slopes = new Float64Array(rows.length);
    const collected = {
      add: (row: number, factor: number, slope: Float32Array) =>
        slope.forEach(
          (value, k) =>
            (slopes[row * WIDTH + k] = (slopes[row * WIDTH + k] as number) + factor * value),
        ),
    } as unknown as SparseAdam;
    passSlopesOn(questions, ofQuestions, collected, WIDTH);
    passSlopesOn(passages, ofPassages, collected, WIDTH);
    const step = 0.01;
    for (const at of [0, 17, 40, 77, 5 * WIDTH + 2, 8 * WIDTH + 9, 11 * WIDTH + 15]) {
      const moved = (by: number): number =>
        lossOf(rows.map((value, i) => (i === at ? value + by : value))).loss;
      expect(slopes[at]).toBeCloseTo((moved(step) - moved(-step)) / (2 * step), 3);
    }
  });

  it('falls as the rows follow the gradients, and rows of no text stay', () => {
    const rows = startingRows();
    const before = rows.slice();
    const adam = new SparseAdam(rows, WIDTH);
    const first = lossOf(rows).loss;
    for (let step = 0; step < 40; step++) {
      const { questions, passages, ofQuestions, ofPassages } = lossOf(rows);
      passSlopesOn(questions, ofQuestions, adam, WIDTH);
      passSlopesOn(passages, ofPassages, adam, WIDTH);
      adam.step(0.02);
    }
    expect(lossOf(rows).loss).toBeLessThan(first / 4);
    const unused = [...Array(12).keys()].filter((row) =>
      [...QUESTIONS, ...PASSAGES].every((of) => !of.rows.includes(row)),
    );
    for (const row of unused) {
      expect(rows.subarray(row * WIDTH, (row + 1) * WIDTH)).toEqual(
        before.subarray(row * WIDTH, (row + 1) * WIDTH),
      );
    }
  });
});
