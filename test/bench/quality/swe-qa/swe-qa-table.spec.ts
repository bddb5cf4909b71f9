import { describe, expect, it } from '@jest/globals';

import { figuresTable, pairedTable, shareFigure } from './swe-qa-table.js';

const figures = [shareFigure('right', (score: number) => score)];
const scored = (repository: string, ...scores: readonly number[]) =>
  scores.map((score) => ({ repository, score }));

describe('tables of SWE-QA-Bench', () => {
  it('have a row for each repository and one for all questions with an interval', () => {
    const table = figuresTable(figures, [...scored('harbor', 1, 1), ...scored('tide', 0.5)]);
    const [, , harbor, tide, all] = table.split('\n');
    expect(harbor).toBe('| harbor | 2 | 1.000 |');
    expect(tide).toBe('| tide | 1 | .500 |');
    expect(all).toMatch(/^\| all \| 3 \| \.833 \(\.500 to 1\.000\) \|$/);
  });

  it('pair the questions of two lists', () => {
    const before = [...scored('harbor', 0, 1), ...scored('tide', 1)];
    const after = [...scored('harbor', 1, 1), ...scored('tide', 1)];
    expect(pairedTable(figures, before, after).split('\n')[2]).toMatch(/^\| right \| \.333 \| /);
  });

  it('reject lists of different lengths', () => {
    expect(() => pairedTable(figures, scored('harbor', 0), [])).toThrow(
      'Both lists must have the same questions (got 1, 0)',
    );
  });
});
