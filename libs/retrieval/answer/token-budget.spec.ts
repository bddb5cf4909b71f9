import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { fitToBudget } from './token-budget.js';

/** Counts a token for each word or line end. */
const countTokens = (text: string): number => text.match(/\S+|\n/g)?.length ?? 0;
const resultOf = (content: string, start = 10) => ({
  content,
  token_count: countTokens(content),
  citation: { path: 'a.ts', start_line: start, end_line: start + content.split('\n').length - 1 },
});

describe('fitToBudget', () => {
  it('takes results in order while they fit and stops at the first that does not', () => {
    const results = [resultOf('a b c'), resultOf('d e f g'), resultOf('h')];
    expect(fitToBudget(results, 6, countTokens)).toEqual([results[0]]);
    expect(fitToBudget(results, 8, countTokens)).toEqual(results);
  });

  it('cuts a first result that is too big at a line end and moves end_line', () => {
    const [cut] = fitToBudget([resultOf('a b\nc d\ne f'), resultOf('g')], 6, countTokens);
    expect(cut).toEqual({
      content: 'a b\nc d',
      token_count: 5,
      citation: { path: 'a.ts', start_line: 10, end_line: 11 },
    });
  });

  it('cuts inside the first line when that alone is too long, never inside a character', () => {
    const [cut] = fitToBudget(
      [resultOf('😀'.repeat(10))].map((r) => ({ ...r, token_count: 20 })),
      5,
      (text) => text.length,
    );
    expect(cut?.content).toBe('😀😀');
    expect(cut?.citation.end_line).toBe(10);
  });

  it('never exceeds the budget', () => {
    const contents = fc.array(fc.stringMatching(/^[ab \n]{1,40}$/), { maxLength: 8 });
    fc.assert(
      fc.property(contents, fc.integer({ min: 1, max: 60 }), (texts, budget) => {
        const kept = fitToBudget(
          texts.map((text) => resultOf(text)),
          budget,
          countTokens,
        );
        return kept.reduce((sum, { content }) => sum + countTokens(content), 0) <= budget;
      }),
    );
  });
});
