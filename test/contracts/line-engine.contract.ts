import { expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { LineEngine, LineExpression } from '#code-search/pattern/line-engine.port';
import { PatternError } from '#code-search/pattern/pattern-error';

function expression(pattern: string, fields: Partial<LineExpression> = {}): LineExpression {
  return { pattern, regex: true, caseSensitive: true, word: false, ...fields };
}

/** The behavior of every engine: one syntax, linear time, positions in errors. */
export function lineEngineContract(create: () => LineEngine): void {
  const engine = create();

  it.each([
    ['alternatives, the first that matches', 'ab|abc', 'abc', [[0, 2]]],
    [
      'greedy and lazy repetition',
      'a+?b|c+',
      'aab ccc',
      [
        [0, 3],
        [4, 7],
      ],
    ],
    [
      'classes of Unicode',
      '\\w+',
      'é1 ß',
      [
        [0, 3],
        [4, 6],
      ],
    ],
    ['word boundaries of Unicode', '\\bé\\b', 'éé é', [[5, 7]]],
    ['anchors at lines', '^b$', 'a\nb\nc', [[2, 3]]],
    ['inline flags', '(?i)É', 'é', [[0, 2]]],
    ['named groups and counts', '(?P<n>a){2,3}', 'aaaa', [[0, 3]]],
    [
      'empty matches',
      'x*',
      'ax',
      [
        [0, 0],
        [1, 2],
      ],
    ],
  ])('finds %s', (_, pattern, text, spans) => {
    const matcher = engine.compile(expression(pattern));
    expect(matcher.find(text)).toEqual(spans);
    expect(matcher.find(Buffer.from(text))).toEqual(spans);
  });

  it.each([
    ['an unclosed group', 'ab(c', 2],
    ['look-ahead', 'a(?=b)', 1],
    ['a backreference', '(a)\\1', 3],
    ['a repetition of nothing', '*a', 0],
    ['an unclosed class', 'éa[b', 2],
    ['an inverted range', '[z-a]', 1],
    ['a line break', 'a\\nb', 1],
    ['the start of a text', '\\Aa', 0],
    ['a group that closes around it', 'a)(b', 1],
  ])('rejects %s with its position', (_, pattern, position) => {
    expect(rejection(engine, pattern)).toMatchObject({ position });
  });

  it.each([
    ['huge counts', 'a{1000}{1000}{10}'],
    ['classes with huge counts', '(\\p{L}{100}){1000}'],
    ['deep nesting', '('.repeat(300) + 'a' + ')'.repeat(300)],
  ])('rejects %s', (_, pattern) => {
    expect(rejection(engine, pattern).message).toMatch(/^must|^is too large/);
  });

  it('finds the same in a text and in its bytes, of any content and length', () => {
    const matcher = engine.compile(expression('[^x]\\w+|é'));
    const parts = fc.array(fc.constantFrom('a', 'é', 'x', '\n', '\u{1f600}', 'word'.repeat(9_000)));
    fc.assert(
      fc.property(parts, (some) => {
        const text = some.join('');
        expect(matcher.find(Buffer.from(text))).toEqual(matcher.find(text));
      }),
      { numRuns: 50 },
    );
    matcher.free();
  });

  it('takes bytes that are no UTF-8 as text', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62]);
    expect(engine.compile(expression('.')).find(bytes)).toHaveLength(3);
  });

  it.each(['^(a+)+$', '(a|aa)+$', '^(a|a?)+$', '(.*)(.*)(.*)(.*)(.*)x', '(\\w*\\d*\\w*)*!'])(
    'matches %s on repeated text in linear time',
    (pattern) => {
      const matcher = engine.compile(expression(pattern));
      // A backtracking engine would need more steps than it ever could make.
      expect(matcher.find(`${'a'.repeat(5_000)}?`)).toEqual([]);
      matcher.free();
    },
  );

  it.each([
    ['a text', expression('a.b', { regex: false }), 'a.b'],
    ['the longest part', expression('x\\d+(?:long part)+y?'), 'long part'],
    ['nothing of alternatives', expression('abc|def'), undefined],
    ['nothing without regard to case', expression('abc', { caseSensitive: false }), undefined],
  ])('names the required literal: %s', (_, of, literal) => {
    expect(engine.compile(of).requiredLiteral).toBe(literal);
  });
}

function rejection(engine: LineEngine, pattern: string): PatternError {
  try {
    engine.compile(expression(pattern));
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error(`${pattern} was not rejected`);
}
