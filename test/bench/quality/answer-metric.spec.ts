import { describe, expect, it } from '@jest/globals';

import { scoreCitations } from './answer-metric.js';

const EVIDENCE = [
  { path: 'a.ts', startLine: 1, content: 'one\ntwo\nthree' },
  { path: 'a.ts', startLine: 11, content: 'eleven\ntwelve' },
  { path: 'b.ts', startLine: 1, content: 'one' },
];
const score = (text: string, cited: readonly number[]) =>
  scoreCitations(
    { text, cited, evidence: EVIDENCE },
    {
      id: 'x-01',
      kind: 'where',
      question: '',
      primary: [{ path: 'a.ts', lines: [12, 20] }],
      acceptable: [{ path: 'b.ts' }],
    },
  );

describe('scoreCitations', () => {
  it('is right where a cited passage has lines of a primary one, whichever is cited first', () => {
    expect(score('See `a.ts:11` [2] and [3].', [2, 3])).toMatchObject({
      right: true,
      passable: true,
      rightFile: true,
      firstFile: true,
      firstRight: true,
      firstPassable: true,
      citations: 2,
      // The passage reaches line 12; the line that is named does not.
      namedRight: false,
    });
    expect(score('See [3], `a.ts:11-12` [2].', [3, 2])).toMatchObject({
      right: true,
      firstFile: false,
      firstRight: false,
      firstPassable: true,
      namedRight: true,
    });
  });

  it('is not right for other lines of the right file, nor for what is there and not cited', () => {
    expect(score('See [1].', [1])).toMatchObject({
      right: false,
      passable: false,
      rightFile: true,
      firstFile: true,
      firstRight: false,
    });
    expect(score('', [])).toMatchObject({
      right: false,
      passable: false,
      rightFile: false,
      words: 0,
      citations: 0,
    });
  });
});
