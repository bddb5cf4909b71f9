import { describe, expect, it } from '@jest/globals';

import { Seeded } from '../seeded.js';
import {
  FIT_DEFAULTS,
  type FitProgress,
  fitRows,
  type FitSettings,
  type TaughtTexts,
} from './fit-rows.js';
import { normalizeRows } from './matrix.js';
import { meanReciprocalRank } from './reciprocal-rank.js';
import { textVectors } from './text-vectors.js';
import type { TrainingPair, TrainingText } from './training-texts.js';

const WIDTH = 32;
const TOPICS = 40;
const NOTHING: TaughtTexts = { texts: [], vectors: new Float32Array() };
const text = (...rows: number[]): TrainingText => ({
  rows: Uint32Array.from(rows),
  weights: new Float32Array(rows.length).fill(1),
});

/**
 * Each topic has a name that both texts contain, and a word of people (row + 1) and one of code
 * (row + 2) for its action.
 */
const PAIRS = Array.from({ length: 200 }, (_, at): TrainingPair => {
  const topic = (at % TOPICS) * 3;
  const of = {
    kind: 'comment',
    repository: at % 2,
    group: '',
    question: '',
    passage: { path: '', defs: [], content: '' },
  };
  return {
    question: text(topic, topic + 1, 120),
    passage: text(topic, topic + 2, 121, 122),
    of,
  } as TrainingPair;
});

function fitted(settings: Partial<FitSettings>, taught = NOTHING) {
  const random = new Seeded(11);
  const rows = Float32Array.from({ length: 124 * WIDTH }, () => random.next() - 0.5);
  const reported: FitProgress[] = [];
  const how = { ...FIT_DEFAULTS, passes: 20, batch: 50, learningRate: 0.01, ...settings };
  fitRows(rows, WIDTH, PAIRS, taught, how, (progress) => reported.push(progress));
  return { rows, reported };
}

/** Returns the mean cosine of the two words of a topic. */
function synonymy(rows: Float32Array): number {
  const words = textVectors(
    Array.from({ length: TOPICS }, (_, topic) => [text(topic * 3 + 1), text(topic * 3 + 2)]).flat(),
    rows,
    WIDTH,
  ).vectors;
  let sum = 0;
  for (let topic = 0; topic < TOPICS; topic++) {
    for (let k = 0; k < WIDTH; k++) {
      sum +=
        (words[topic * 2 * WIDTH + k] as number) * (words[(topic * 2 + 1) * WIDTH + k] as number);
    }
  }
  return sum / TOPICS;
}

describe('fitting rows', () => {
  it('learns synonyms, and more of them if shared words are sometimes left out', () => {
    expect(synonymy(fitted({ passes: 0 }).rows)).toBeLessThan(0.1);
    const all = synonymy(fitted({ dropShared: 0 }).rows);
    const dropped = synonymy(fitted({ dropShared: 0.5 }).rows);
    expect(dropped).toBeGreaterThan(0.4);
    expect(dropped).toBeGreaterThan(all + 0.03);
  });

  it('moves passages to the top, and reports how its loss falls', () => {
    const unlike = PAIRS.slice(0, TOPICS).map((pair): TrainingPair => ({
      ...pair,
      question: text(...[...pair.question.rows].slice(1)),
    }));
    const before = meanReciprocalRank(unlike, fitted({ passes: 0 }).rows, WIDTH);
    const { rows, reported } = fitted({});
    expect(before).toBeLessThan(0.4);
    expect(meanReciprocalRank(unlike, rows, WIDTH)).toBeGreaterThan(0.9);
    expect(reported.map(({ step }) => step)).toEqual([8, 16, 24, 32, 40, 48, 56, 64, 72, 80]);
    expect(reported.at(-1)?.loss).toBeLessThan((reported[0]?.loss ?? 0) / 2);
  });

  it('moves whole texts towards the vectors of the teacher, by the given weight', () => {
    const random = new Seeded(5);
    const vectors = Float32Array.from({ length: PAIRS.length * WIDTH }, (_, at) =>
      at % (TOPICS * WIDTH) === at ? random.next() - 0.5 : 0,
    );
    // The same for each text of a topic.
    for (let at = TOPICS * WIDTH; at < vectors.length; at++)
      vectors[at] = vectors[at % (TOPICS * WIDTH)] as number;
    normalizeRows(vectors, WIDTH);
    const taught: TaughtTexts = { texts: PAIRS.map(({ passage }) => passage), vectors };
    const [none, some, much] = [0, 1, 20].map((teacherWeight) => {
      const { rows } = fitted({ teacherWeight }, taught);
      const are = textVectors(taught.texts, rows, WIDTH).vectors;
      return (
        are.reduce((sum, value, at) => sum + value * (vectors[at] as number), 0) / PAIRS.length
      );
    }) as [number, number, number];
    expect(Math.abs(none)).toBeLessThan(0.2);
    expect(some).toBeGreaterThan(none + 0.1);
    expect(much).toBeGreaterThan(0.7);
  });

  it('returns the same rows only for the same seed', () => {
    const { rows } = fitted({ passes: 2 });
    expect(fitted({ passes: 2 }).rows).toEqual(rows);
    expect(fitted({ passes: 2, seed: 2 }).rows).not.toEqual(rows);
  });
});
