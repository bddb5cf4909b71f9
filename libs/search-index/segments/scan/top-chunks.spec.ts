import { describe, expect, it } from '@jest/globals';

import { seeded } from '#platform';

import type { SearchedView } from './searched-view.js';
import { TopChunks } from './top-chunks.js';

const LIMIT = 20;
const OFFERED = 2_000;

/** Returns a view whose ids are in the opposite order of its chunks, and share beginnings. */
function viewOf(first: number): SearchedView {
  const idOf = (chunk: number) => OFFERED - first - chunk;
  const tables = {
    first,
    idPrefix: (chunk: number) => Math.floor(idOf(chunk) / 8),
    compareIds: (chunk: number, other: { first: number }, otherChunk: number) =>
      other.first + otherChunk - first - chunk,
  };
  return { segment: { tables } } as unknown as SearchedView;
}

const views = [viewOf(0), viewOf(OFFERED / 2)] as const;
const random = seeded(11);

function topOf(scores: readonly number[], order: readonly number[], limit = LIMIT): TopChunks {
  const top = new TopChunks(limit);
  for (const number of order) {
    const half = OFFERED / 2;
    const [view, chunk] = number < half ? [views[0], number] : [views[1], number - half];
    top.offer(view, chunk, scores[number] as number);
  }
  return top;
}

const numbersOf = (top: TopChunks) =>
  top
    .found()
    .map(({ view, chunk }) => chunk + (view === views[0] ? 0 : OFFERED / 2))
    .sort((a, b) => a - b);

const all = Array.from({ length: OFFERED }, (_, number) => number);

describe('the best chunks', () => {
  it.each([
    ['different', () => random()],
    ['of few values', () => Math.floor(30 * random())],
    ['all equal', () => 1],
    ['ascending', (number: number) => number],
    ['descending', (number: number) => -number],
  ])('are those of a sort by score and id, scores %s', (_, scoreOf) => {
    const scores = all.map((number) => scoreOf(number));
    const best = all
      .toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || b - a)
      .slice(0, LIMIT)
      .sort((a, b) => a - b);
    const shuffled = all.map((number) => (number * 7 + 3) % OFFERED);
    for (const order of [all, shuffled, all.toReversed()]) {
      const top = topOf(scores, order);
      expect(top.size).toBe(LIMIT);
      expect(numbersOf(top)).toEqual(best);
      // A look at them changes nothing.
      expect(numbersOf(top)).toEqual(best);
    }
  });

  it('are all offered ones up to the limit', () => {
    const top = topOf(all, all.slice(0, LIMIT));
    expect(top.size).toBe(LIMIT);
    expect(top.threshold).toBe(-Infinity);
    expect(numbersOf(top)).toEqual(all.slice(0, LIMIT));
    expect(topOf(all, []).found()).toEqual([]);
  });

  it('have a threshold that never exceeds the lowest of their scores', () => {
    const scores = all.map(() => Math.floor(100 * random()));
    const top = topOf(scores, all);
    const { threshold } = top;
    expect(threshold).toBeGreaterThan(-Infinity);
    expect(threshold).toBeLessThanOrEqual(Math.min(...top.found().map(({ score }) => score)));
  });

  it('keep scores that were offered after a selection', () => {
    const scores = all.map((number) => (number === OFFERED - 1 ? 5 : 1));
    expect(numbersOf(topOf(scores, all, 1))).toEqual([OFFERED - 1]);
  });
});
