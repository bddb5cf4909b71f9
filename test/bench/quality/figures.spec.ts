import { describe, expect, it } from '@jest/globals';

import { bootstrapInterval } from './bootstrap.js';
import { type ComparedScore, compareFigures, comparisonTable } from './figures.js';

const scoreOf = (repository: string, hitRank: number): ComparedScore => ({
  repository,
  ndcg: 1 / hitRank,
  recall: 1,
  hitRank,
  fileRank: hitRank,
  passageRank: hitRank,
  fairRank: hitRank,
});

describe('bootstrapInterval', () => {
  it('has no width for equal values', () => {
    expect(bootstrapInterval([[0.5], [0.5], [0.5]])).toEqual({ low: 0.5, high: 0.5 });
  });

  it('contains the mean and approximates the normal interval of many values', () => {
    const { low, high } = bootstrapInterval(Array.from({ length: 400 }, (_, at) => [at % 2]));
    // Standard error .025.
    expect(low).toBeGreaterThan(0.44);
    expect(low).toBeLessThan(0.46);
    expect(high).toBeGreaterThan(0.54);
    expect(high).toBeLessThan(0.56);
  });

  it('is wider over groups whose values are alike', () => {
    const groups = [Array<number>(50).fill(1), Array<number>(50).fill(0)];
    const over = bootstrapInterval(groups);
    expect(over).toEqual({ low: 0, high: 1 });
    expect(bootstrapInterval(groups.flat().map((value) => [value])).low).toBeGreaterThan(0.35);
  });

  it('returns zeros without values', () => {
    expect(bootstrapInterval([])).toEqual({ low: 0, high: 0 });
  });
});

describe('compareFigures', () => {
  const pairs = [
    [scoreOf('a', 2), scoreOf('a', 1)],
    [scoreOf('a', 1), scoreOf('a', 1)],
    [scoreOf('b', Infinity), scoreOf('b', 3)],
    [scoreOf('b', 1), scoreOf('b', 1)],
  ] as const;

  it('pairs the runs by question', () => {
    const byName = new Map(compareFigures(pairs).map((figure) => [figure.name, figure]));
    expect(byName.get('hit@1')).toMatchObject({ before: 0.5, after: 0.75, difference: 0.25 });
    expect(byName.get('hit@3')).toMatchObject({ before: 0.75, after: 1, difference: 0.25 });
    expect(byName.get('recall@10')).toMatchObject({
      difference: 0,
      overQuestions: { low: 0, high: 0 },
    });
  });

  it('prints one row for each figure', () => {
    const table = comparisonTable(compareFigures(pairs)).split('\n');
    expect(table).toHaveLength(12);
    expect(table[4]).toBe('| hit@1 | 0.500 | 0.750 | 0.250 | 0.000 to 0.750 | 0.000 to 0.500 |');
  });
});
