import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { CitationMarks } from './citation-marks.js';

function checked(text: string, evidence = 3, pieces: readonly string[] = [text]) {
  const marks = new CitationMarks(evidence);
  const shown = pieces.map((piece) => marks.push(piece)).join('') + marks.end();
  return { shown, cited: [...marks.cited] };
}

describe('CitationMarks', () => {
  it.each([
    ['It evicts the oldest [1].', 'It evicts the oldest [1].', [1]],
    ['Both [1][3] and [2, 3].', 'Both [1][3] and [2, 3].', [1, 3, 2]],
    ['Made up [7], half [2, 9].', 'Made up , half [2].', [2]],
    ['None [0] at all [04]', 'None  at all ', []],
    [
      'A [link](https://example.com) and [x] and [',
      'A [link](https://example.com) and [x] and [',
      [],
    ],
    ['`items[7]` is code [1]', '`items[7]` is code [1]', [1]],
    ['```ts\nitems[9]\n``\n[8]\n```\n[2] and [8]', '```ts\nitems[9]\n``\n[8]\n```\n[2] and ', [2]],
    ['a stray ` tick\nthen [9] and [1]', 'a stray ` tick\nthen  and [1]', [1]],
    ['[[1]', '[[1]', [1]],
    ['[1, ]', '[1, ]', []],
  ])('of %j shows %j', (text, shown, cited) => {
    expect(checked(text)).toEqual({ shown, cited });
  });

  it('shows the same however the answer is cut into pieces', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '1',
      '9',
      ', ',
      '`',
      '```',
      '\n',
      'word ',
      '[2]',
      '[1, 7]',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(checked(text, 3, pieces)).toEqual(checked(text));
        expect(checked(text, 3, [...text])).toEqual(checked(text));
      }),
    );
  });

  it('holds back nothing but what may become a mark', () => {
    const marks = new CitationMarks(1);
    expect(marks.push('so [')).toBe('so ');
    expect(marks.push('1')).toBe('');
    expect(marks.push('] it')).toBe('[1] it');
    expect(marks.push(`[${'1'.repeat(200)}`)).toContain('1'.repeat(60));
  });
});
