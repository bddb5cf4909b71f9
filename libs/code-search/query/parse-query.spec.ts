import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { parseQuery } from './parse-query.js';
import { QueryError } from './query-error.js';
import { describeQuery } from './query-node.js';

const parsed = (query: string): string => describeQuery(parseQuery(query));

function problemOf(query: string): QueryError {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`must not be read: ${query}`);
}

describe('parseQuery', () => {
  it.each([
    ['foo', 'content:"foo"i'],
    ['foo bar', '(and content:"foo"i content:"bar"i)'],
    ['"foo bar"', 'content:"foo bar"i'],
    ['"say \\"a\\\\b\\""', 'content:"say \\"a\\\\b\\""i'],
    ['/fo+ bar/', 'content:/fo+ bar/i'],
    ['/a\\/b/', 'content:/a\\/b/i'],
    ['/usr/lib', 'content:"/usr/lib"i'],
    ['a or b c', '(or content:"a"i (and content:"b"i content:"c"i))'],
    ['a OR b AND c', '(or content:"a"i (and content:"b"i content:"c"i))'],
    ['a (b or c)', '(and content:"a"i (or content:"b"i content:"c"i))'],
    ['a -b not c', '(and content:"a"i (not content:"b"i) (not content:"c"i))'],
    ['a -(b or c)', '(and content:"a"i (not (or content:"b"i content:"c"i)))'],
    [
      'x -> y --z - w',
      '(and content:"x"i content:"->"i content:"y"i content:"--z"i content:"-"i content:"w"i)',
    ],
    ['call(a,b) f()', '(and content:"call(a,b)"i content:"f()"i)'],
    ['(call(a))', 'content:"call(a)"i'],
    [
      'std::vector http://x C:\\dir',
      '(and content:"std::vector"i content:"http://x"i content:"C:\\\\dir")',
    ],
    ['r:shop f:\\.ts$ x', '(and repo:/shop/i file:/\\.ts$/i content:"x"i)'],
    ['file:"a b" sym:Cart lang:Go', '(and file:"a b"i sym:"Cart" lang:"Go")'],
    ['content:"a:b" c:/x/', '(and content:"a:b"i content:/x/i)'],
    ['-file:_test x', '(and (not file:/_test/i) content:"x"i)'],
    ['Foo /a\\S/ /B/', '(and content:"Foo" content:/a\\S/i content:/B/)'],
    ['foo case:yes', 'content:"foo"'],
    ['case:no Foo', 'content:"Foo"i'],
    ['type:file cart', 'file:"cart"i'],
    ['cart t:symbol content:x', '(and sym:"cart"i content:"x"i)'],
    ['a or -b c', '(or content:"a"i (and (not content:"b"i) content:"c"i))'],
  ])('reads %s', (query, tree) => {
    expect(parsed(query)).toBe(tree);
  });

  it.each([
    ['a "b', 2, 'unclosed quote'],
    ['😀 lan:go', 2, 'unknown filter lan'],
    ['(a', 0, 'unclosed parenthesis'],
    ['a)', 1, 'closes nothing'],
    ['()', 0, 'empty group'],
    ['-a', 0, 'without negation'],
    ['a or -b', 0, 'without negation'],
    ['case:yes', 0, 'must contain a text'],
    ['a case:maybe', 2, 'use yes, no, auto'],
    ['a case:yes case:no', 11, 'two values of case'],
    ['a -case:yes', 3, 'must not negate case'],
    ['file:', 0, 'no value after file'],
    ['a or', 4, 'terms on both sides'],
    ['or a', 0, 'terms on both sides'],
    ['a not', 2, 'negation of nothing'],
    ['""', 1, 'empty phrase'],
    ['(a or)', 5, 'terms on both sides'],
    [`${'('.repeat(21)}a${')'.repeat(21)}`, 20, 'at most 20 nested groups'],
    ['a '.repeat(21), 40, 'at most 20 terms'],
    ['/a/ '.repeat(9), 33, 'at most 8 expressions'],
  ])('rejects %s with its position', (query, position, problem) => {
    expect(problemOf(query)).toMatchObject({ position });
    expect(problemOf(query).message).toContain(problem);
  });

  it('reads up to the limits of terms, expressions and nesting', () => {
    expect(parsed('a '.repeat(20))).toContain('content:"a"i');
    expect(parsed('/a/ '.repeat(8))).toContain('content:/a/i');
    expect(parsed(`${'('.repeat(20)}a${')'.repeat(20)}`)).toBe('content:"a"i');
  });

  it('reads or rejects each of 10,000 generated queries, with a position inside', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'()"/\\-: |+*[]{}'.split('')),
      fc.constantFrom('or', 'and', 'not', 'file:', 'repo:', 'lang:', 'case:yes', 'type:', 'sym:'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    );
    const query = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    let read = 0;
    fc.assert(
      fc.property(query, (text) => {
        try {
          describeQuery(parseQuery(text));
          read += 1;
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
          expect(error.position).toBeLessThanOrEqual([...text].length);
          expect(error.message).toMatch(/^(has|must) /);
        }
      }),
      { numRuns: 10_000 },
    );
    // Neither form is the rule, so that both are tested.
    expect(read).toBeGreaterThan(500);
    expect(read).toBeLessThan(9_500);
  });
});
