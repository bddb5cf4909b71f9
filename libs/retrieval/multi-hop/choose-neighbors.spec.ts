import { describe, expect, it } from '@jest/globals';

import { chooseNeighbors, type Hit } from './choose-neighbors.js';
import { piecesOfLines } from './merge-passages.js';

const range = (chunkId: string, startLine: number, endLine: number) => ({
  chunkId,
  startLine,
  endLine,
});
const DOCUMENT = [range('a', 1, 10), range('b', 12, 20), range('c', 21, 30), range('d', 40, 50)];

describe('neighbors of hits', () => {
  const ids = (radius: number, ...hits: Hit[]) =>
    chooseNeighbors(DOCUMENT, hits, radius).map(({ chunk }) => chunk.chunkId);
  const hit = { ...range('b', 12, 20), score: 0.8, rank: 0 };

  it('have a line within the radius, above and below, and are not hits', () => {
    expect(ids(0, hit)).toEqual([]);
    expect(ids(1, hit)).toEqual(['c']);
    expect(ids(2, hit)).toEqual(['a', 'c']);
    expect(ids(19, hit)).toEqual(['a', 'c']);
    expect(ids(20, hit)).toEqual(['a', 'c', 'd']);
    expect(ids(20, hit, { ...range('c', 21, 30), score: 0.1, rank: 1 })).toEqual(['a', 'd']);
  });

  it('overlapping a hit are taken at radius 0', () => {
    expect(ids(0, { ...range('x', 15, 25), score: 1, rank: 0 })).toEqual(['b', 'c']);
  });

  it('score at most half of the hit, less the further, and the best of several hits', () => {
    const scores = chooseNeighbors(DOCUMENT, [hit], 39).map(({ score }) => score);
    expect(scores).toEqual([
      0.8 * 0.5 * (1 - 2 / 40),
      0.8 * 0.5 * (1 - 1 / 40),
      0.8 * 0.5 * (1 - 20 / 40),
    ]);
    const [, between] = chooseNeighbors(
      DOCUMENT,
      [
        { ...range('a', 1, 10), score: 0.1, rank: 1 },
        { ...range('d', 40, 50), score: 1, rank: 0 },
      ],
      39,
    );
    expect(between).toMatchObject({ chunk: range('c', 21, 30), score: 0.5 * (1 - 10 / 40) });
  });

  it('are shown for the best hit in whose radius they lie, though another is nearer', () => {
    const far = { ...range('d', 40, 50), score: 0.9, rank: 0 };
    const near = { ...range('b', 12, 20), score: 0.5, rank: 3 };
    const shownFor = (radius: number) =>
      chooseNeighbors(DOCUMENT, [near, far], radius).map(({ chunk, rank, distance }) => [
        chunk.chunkId,
        rank,
        distance,
      ]);
    expect(shownFor(10)).toEqual([
      ['a', 3, 2],
      ['c', 0, 10],
    ]);
    expect(shownFor(9)).toEqual([
      ['a', 3, 2],
      ['c', 3, 1],
    ]);
  });

  it('of nothing are nothing', () => {
    expect(ids(500)).toEqual([]);
    expect(chooseNeighbors([], [hit], 500)).toEqual([]);
  });
});

describe('pieces of one over-long line', () => {
  it('are those that share one line number', () => {
    const document = [range('a', 1, 4), range('b', 5, 5), range('c', 5, 5), range('d', 6, 6)];
    expect([...piecesOfLines(document)]).toEqual(['b', 'c']);
  });
});
