import { describe, expect, it } from '@jest/globals';

import type { RankedPlace } from './metric.js';
import { scoreAnswer } from './question-metric.js';
import type { Question } from './question-set.js';

const question: Question = {
  id: 'x-1',
  kind: 'where',
  question: 'where are keys turned over',
  primary: [{ path: 'keys.ts', lines: [10, 20] }],
  acceptable: [{ path: 'docs.md', lines: [1, 5] }],
};
const at = (path: string, startLine: number, endLine: number): RankedPlace => ({
  path,
  startLine,
  endLine,
});

describe('scoreAnswer', () => {
  it('ranks the right file by files and the right passage by results', () => {
    const results = [
      at('a.ts', 1, 9),
      at('a.ts', 10, 19),
      at('keys.ts', 30, 40),
      at('keys.ts', 18, 25),
    ];
    expect(scoreAnswer(results, question)).toEqual({
      ndcg: 1 / Math.log2(3),
      recall: 1,
      fileRank: 2,
      hitRank: 2,
      passageRank: 4,
      fairRank: 4,
    });
  });

  it('passes over what answers too', () => {
    const results = [at('docs.md', 2, 8), at('keys.ts', 5, 12)];
    expect(scoreAnswer(results, question)).toEqual({
      ndcg: 1,
      recall: 1,
      fileRank: 1,
      hitRank: 1,
      passageRank: 1,
      fairRank: 1,
    });
  });

  it('counts another passage of an acceptable file as a wrong passage, not as a wrong file', () => {
    expect(scoreAnswer([at('docs.md', 50, 60), at('keys.ts', 10, 10)], question)).toMatchObject({
      fileRank: 1,
      passageRank: 2,
    });
  });

  it('counts a primary or an acceptable file as a hit', () => {
    const results = [
      at('a.ts', 1, 2),
      at('docs.md', 50, 60),
      at('b.ts', 1, 2),
      at('keys.ts', 1, 2),
    ];
    expect(scoreAnswer(results, question)).toMatchObject({ hitRank: 2, fileRank: 3 });
  });

  it('counts lines of a primary or an acceptable place as a fair passage', () => {
    const results = [at('docs.md', 50, 60), at('docs.md', 2, 8), at('keys.ts', 1, 30)];
    expect(scoreAnswer(results, question)).toMatchObject({ fairRank: 2, passageRank: 2 });
  });

  it('gives nothing for what comes after the tenth', () => {
    const wrong = Array.from({ length: 10 }, (_, n) => at(`${n}.ts`, 1, 2));
    expect(scoreAnswer([...wrong, at('keys.ts', 10, 20)], question)).toEqual({
      ndcg: 0,
      recall: 0,
      fileRank: Infinity,
      hitRank: Infinity,
      passageRank: Infinity,
      fairRank: Infinity,
    });
  });
});
