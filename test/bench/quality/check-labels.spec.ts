import { describe, expect, it } from '@jest/globals';

import { labelProblems } from './check-labels.js';
import type { AnswerPlace, Question } from './question-set.js';

const documents = [{ path: 'a.c', text: '/* counts the\n * open doors */\nint doors(void);\n' }];

function problems(place: AnswerPlace, acceptable: AnswerPlace[] = []): string[] {
  const question: Question = {
    id: 'x-01',
    kind: 'where',
    question: 'q',
    primary: [place],
    acceptable,
  };
  return labelProblems({ questions: [question] }, documents);
}

describe('labels of questions', () => {
  it('accepts words that continue on the next line of a comment', () => {
    expect(problems({ path: 'a.c', lines: [1, 2], words: 'the open doors' })).toEqual([]);
  });

  it('reports a file that is not indexed, also of an acceptable place', () => {
    expect(problems({ path: 'a.c' }, [{ path: 'b.c' }])).toEqual([
      'x-01: b.c: the file is not indexed',
    ]);
  });

  it('accepts the last line and reports the one after it', () => {
    expect(problems({ path: 'a.c', lines: [4, 4] })).toEqual([]);
    expect(problems({ path: 'a.c', lines: [4, 5] })).toEqual([
      'x-01: a.c: lines 4 to 5 are outside of 1 to 4',
    ]);
  });

  it('reports quoted words that occur only in other lines', () => {
    expect(problems({ path: 'a.c', lines: [3, 3], words: 'open' })).toEqual([
      'x-01: a.c: lines 3 to 3 lack "open"',
    ]);
  });

  it('reports a question without a primary place', () => {
    const question: Question = {
      id: 'x-02',
      kind: 'where',
      question: 'q',
      primary: [],
      acceptable: [],
    };
    expect(labelProblems({ questions: [question] }, documents)).toEqual(['x-02: no primary place']);
  });
});
