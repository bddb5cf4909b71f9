import { describe, expect, it } from '@jest/globals';

import type { LineExpression, LineMatcher } from '../pattern/line-engine.port.js';
import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { matchDocuments, type ShownOptions } from './match-documents.js';
import type { MatchedLine } from './matched-line.js';
import { QueryMatcher } from './query-matcher.js';

const OPTIONS = { contextLines: 0, maxLines: 1_000, isLate: () => false };

function expression(fields: Partial<LineExpression>): LineExpression {
  return { pattern: '', regex: true, caseSensitive: true, word: false, ...fields };
}

/** Returns the query of one expression. */
function queryMatcher(of: LineExpression): QueryMatcher {
  return new QueryMatcher(
    { kind: 'term', field: 'content', expression: of, at: 0 },
    new RustLineEngine(),
  );
}

function matches(
  text: string,
  fields: Partial<LineExpression>,
  options: Partial<ShownOptions> = {},
): readonly MatchedLine[] {
  const matcher = queryMatcher(expression(fields));
  const pieces = [{ startLine: 1, content: text }];
  const { documents } = matchDocuments([{ path: 'a', text: { pieces } }], matcher, {
    ...OPTIONS,
    ...options,
  });
  matcher.free();
  return documents[0]?.lines ?? [];
}

const places = (lines: readonly MatchedLine[]) =>
  lines.map(({ number, ranges }) => [number, ranges]);

describe('matchDocuments', () => {
  it('returns byte ranges of each line', () => {
    expect(places(matches('añb b\nx\n😀b', { pattern: 'b' }))).toEqual([
      [
        1,
        [
          [3, 4],
          [5, 6],
        ],
      ],
      [3, [[4, 5]]],
    ]);
  });

  it.each([
    ['negated classes', '[^x]+', 'a\nx\nb', [1, 3]],
    ['white space', 'a\\s*b', 'a\nb\na b', [3]],
    ['dots over lines', '(?s)a.*', 'a\nb', [1]],
    ['anchors', '^b$', 'ab\nb\nbc', [2]],
  ])('matches each line alone: %s', (_, pattern, text, numbers) => {
    expect(matches(text, { pattern }).map(({ number }) => number)).toEqual(numbers);
  });

  it('matches text literally, whole words, or without regard to case', () => {
    const text = 'a.b\naxb\nA.B\na.bc';
    const numbers = (fields: Partial<LineExpression>) =>
      matches(text, { pattern: 'a.b', regex: false, ...fields }).map(({ number }) => number);
    expect(numbers({})).toEqual([1, 4]);
    expect(numbers({ word: true })).toEqual([1]);
    expect(numbers({ caseSensitive: false })).toEqual([1, 3, 4]);
  });

  it('equals a search of each line alone for lines of many forms', () => {
    const words = ['', ' ', 'ab', 'a', 'b', 'xaab', '\t', 'é', 'ab ab', 'b\r'];
    const text = Array.from({ length: 400 }, (_, at) => words[(at * 7 + (at >> 3)) % 10]).join(
      '\n',
    );
    for (const pattern of [
      'a+b',
      '\\W+',
      'b\\s',
      '[^b]*b',
      'x|b$',
      '\\bab\\b',
      '(a|ab)(b|)',
      '$',
    ]) {
      const matcher: LineMatcher = new RustLineEngine().compile(expression({ pattern }));
      const alone = text.split('\n').flatMap((line, at) => {
        const ranges = matcher.find(line);
        return ranges.length > 0 ? [[at + 1, ranges]] : [];
      });
      expect(places(matches(text, { pattern }))).toEqual(alone);
    }
  });

  it('shows context once, and clips long lines', () => {
    const text = ['1', '2', 'x', '4', 'x', '6', 'y'.repeat(3_000) + 'x'].join('\n');
    const lines = matches(text, { pattern: 'x' }, { contextLines: 2 });
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      [['1', '2'], ['4']],
      [[], ['6']],
      [[], []],
    ]);
    expect(lines[2]).toMatchObject({ clipped: true, ranges: [[3_000, 3_001]] });
    expect(lines[2]?.text).toHaveLength(1_000);
  });

  it('joins a line that was cut into pieces, and keeps line numbers of later pieces', () => {
    const matcher = queryMatcher(expression({ pattern: 'abcd' }));
    const pieces = [
      { startLine: 1, content: 'first\nab' },
      { startLine: 2, content: 'cd' },
      { startLine: 9, content: 'abcd' },
    ];
    const { documents } = matchDocuments([{ path: 'a', text: { pieces } }], matcher, OPTIONS);
    expect(documents[0]?.lines.map(({ number, piece }) => [number, piece])).toEqual([
      [2, 1],
      [9, 2],
    ]);
  });

  it('ends at its limit of lines, and continues after a line', () => {
    const matcher = queryMatcher(expression({ pattern: 'x' }));
    const pieces = [{ startLine: 1, content: 'x\nx\nx' }];
    const one = { path: 'a', text: { pieces } };
    const first = matchDocuments([one, one], matcher, { ...OPTIONS, maxLines: 2 });
    expect(first).toMatchObject({
      examined: 0,
      documents: [{ lines: [{ number: 1 }, { number: 2 }] }],
    });
    const rest = matchDocuments([{ ...one, afterLine: 2 }], matcher, OPTIONS);
    expect(rest).toMatchObject({ examined: 1, documents: [{ lines: [{ number: 3 }] }] });
  });

  it('returns the examined lines of the document in which the deadline passes', () => {
    const matcher = queryMatcher(expression({ pattern: 'x' }));
    const content = `x\n${'y\n'.repeat(90_000)}x`;
    const big = { path: 'a', text: { pieces: [{ startLine: 1, content }] } };
    const found: number[] = [];
    let afterLine = 0;
    let scans = 0;
    for (; scans < 20; scans += 1) {
      const part = matchDocuments([{ ...big, afterLine }, big], matcher, {
        ...OPTIONS,
        isLate: () => true,
      });
      for (const { lines } of part.documents) found.push(...lines.map(({ number }) => number));
      if (part.examined > 0) break;
      expect(part.examinedLines).toBeGreaterThan(afterLine);
      afterLine = part.examinedLines;
    }
    expect(found).toEqual([1, 90_002]);
    expect(scans).toBeGreaterThan(1);
  });

  it('examines lines one by one, and no line after the last wanted one', () => {
    const matcher = queryMatcher(expression({ pattern: 'x' }));
    const pieces = [{ startLine: 1, content: 'x\nx\nx' }];
    const late = { ...OPTIONS, isLate: () => true, oneByOne: true };
    expect(matchDocuments([{ path: 'a', text: { pieces } }], matcher, late)).toMatchObject({
      examined: 0,
      examinedLines: 1,
    });
    const cut = matchDocuments([{ path: 'a', text: { pieces }, untilLine: 2 }], matcher, OPTIONS);
    expect(cut).toMatchObject({
      examined: 0,
      examinedLines: 2,
      documents: [{ lines: [{ number: 1 }, { number: 2 }] }],
    });
  });
});
