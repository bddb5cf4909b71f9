import { describe, expect, it } from '@jest/globals';

import { bestLines, type CitedLines } from './best-lines.js';

const QUESTION = 'how long does a lease last before renewal';

/** A passage of 30 lines from line 101 on, with some lines replaced. */
function passage(replaced: Readonly<Record<number, string>>): CitedLines {
  const lines = Array.from({ length: 30 }, (_, at) => replaced[101 + at] ?? `value ${at}`);
  return { content: lines.join('\n'), startLine: 101, endLine: 130 };
}

describe('bestLines', () => {
  it('names the eight lines that cover most terms', () => {
    const cited = passage({ 103: 'lease', 120: '// renewal of a lease', 123: 'last = now()' });
    expect(bestLines(QUESTION, [cited])).toEqual([{ startLine: 120, endLine: 127 }]);
  });

  it('prefers a term that is rare in the passages', () => {
    const common = passage({ 101: 'lease', 115: 'lease' });
    const cited = passage({ 103: 'lease', 120: 'renewal' });
    expect(bestLines(QUESTION, [common, common, cited])[2]).toEqual({
      startLine: 120,
      endLine: 127,
    });
  });

  it('ends with the passage and not with blank lines', () => {
    expect(bestLines(QUESTION, [passage({ 128: 'renewal', 130: ' ' })])).toEqual([
      { startLine: 128, endLine: 129 },
    ]);
  });

  it('names lines at the end of a passage that ends with line breaks', () => {
    const { content } = passage({ 127: 'renewal' });
    const cited = { content: `${content}\n\n`, startLine: 101, endLine: 132 };
    expect(bestLines(QUESTION, [cited])).toEqual([{ startLine: 127, endLine: 130 }]);
  });

  it('names nothing without a term, in a short passage, or where lines are not those cited', () => {
    const short = { content: 'renewal\n'.repeat(7), startLine: 1, endLine: 8 };
    const cut = { ...passage({ 110: 'renewal' }), endLine: 140 };
    expect(bestLines(QUESTION, [passage({}), short, cut, undefined])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads ten passages at most, and none with very long lines', () => {
    const cited = passage({ 110: 'renewal' });
    const long = passage({ 110: `renewal ${'x'.repeat(20_000)}` });
    const named = bestLines(QUESTION, [long, ...Array<CitedLines>(10).fill(cited)]);
    expect(named.map((lines) => lines?.startLine)).toEqual([
      undefined,
      ...Array<number>(9).fill(110),
      undefined,
    ]);
  });
});
