import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { LineExpression, LineMatcher } from '../pattern/line-engine.port.js';
import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { LineText } from './line-text.js';
import { matchLines } from './match-lines.js';

const engine = new RustLineEngine();
/** Letters with variants in case, of which some have another length. */
const WORDS = ['total', 'Total', 'TOTAL', 'ß', 'SS', 'İ', 'ſ', 'é', '😀', ' ', '\t', '(', '1'];
const PATTERNS: readonly (Partial<LineExpression> & { readonly pattern: string })[] = [
  { pattern: 'total' },
  { pattern: 'tot' },
  { pattern: '(' },
  { pattern: 'total', caseSensitive: false },
  { pattern: 'total', word: true },
  { pattern: 'ss', caseSensitive: false },
  { pattern: 'total.*total', regex: true },
  { pattern: '(total|1+)\\s', regex: true, caseSensitive: false },
  { pattern: '^\\s*$', regex: true },
  { pattern: 'al\\s+$', regex: true },
  { pattern: '\\W', regex: true },
  { pattern: 'tal[^x]', regex: true },
];

function compiled(fields: Partial<LineExpression> & { readonly pattern: string }): LineMatcher {
  return engine.compile({ regex: false, caseSensitive: true, word: false, ...fields });
}

function found(lines: readonly string[], matcher: LineMatcher, oneByOne = false) {
  const text = new LineText(lines.map((line) => `${line}\n`).join(''));
  const pieces = [...matchLines(text, matcher, { from: 0, oneByOne })];
  return pieces.flatMap((piece) => piece.found.map(({ line, ranges }) => ({ line, ranges })));
}

/** Searches each line alone. */
function expected(lines: readonly string[], matcher: LineMatcher) {
  return lines.flatMap((text, line) => {
    const ranges = matcher.find(text);
    return ranges.length > 0 ? [{ line, ranges }] : [];
  });
}

describe('matchLines', () => {
  it.each(PATTERNS)('finds in all lines what it finds in each alone: %j', (fields) => {
    const matcher = compiled(fields);
    const line = fc
      .array(fc.constantFrom(...WORDS), { maxLength: 4 })
      .map((words) => words.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        expect(found(lines, matcher)).toEqual(expected(lines, matcher));
        expect(found(lines, matcher, true)).toEqual(expected(lines, matcher));
      }),
      { numRuns: 150 },
    );
    matcher.free();
  });

  it('finds lines on both sides of the end of a piece', () => {
    const lines = Array.from({ length: 30_000 }, (_, at) =>
      at % 7 === 0 ? `total ${at}` : 'none',
    );
    for (const fields of [{ pattern: 'total' }, { pattern: '\\w+ \\d*', regex: true }]) {
      const matcher = compiled(fields);
      expect(found(lines, matcher)).toEqual(expected(lines, matcher));
      matcher.free();
    }
  });

  it('gives the engine only lines with the required text', () => {
    const matcher = compiled({ pattern: 'total\\d', regex: true });
    const searched: string[] = [];
    const counting = {
      ...matcher,
      find: (text: string | Buffer) => (searched.push(String(text)), matcher.find(text)),
    };
    found(['x', 'total1', 'y', 'totals'], counting);
    expect(searched).toEqual(['total1\ntotals']);
    searched.length = 0;
    found(['x', 'y'], counting);
    expect(searched).toEqual([]);
  });
});

describe('LineText', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\nb', ['', 'b']],
    ['a\r\nb', ['a\r', 'b']],
  ])('cuts %j', (text, lines) => {
    const cut = new LineText(text);
    expect(cut.slice(0, cut.count)).toEqual(lines);
  });
});
