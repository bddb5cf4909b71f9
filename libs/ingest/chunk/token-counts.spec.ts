import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { TokenCounts } from './token-counts.js';
import { countO200k } from './tokens.js';

const tokenizer = (text: string): number =>
  countTokens(text, { disallowedSpecial: new Set<string>() });
const counts = new TokenCounts(tokenizer);

describe('tokens counted piece by piece', () => {
  it.each([
    ['', 0],
    ["it's WE'LL i've THEY'Re don'x o'", tokenizer("it's WE'LL i've THEY'Re don'x o'")],
    ['parseHTTPResponse get_user_ids $x', tokenizer('parseHTTPResponse get_user_ids $x')],
    ['a\r\n\r\n  \tb  \n  c   ', tokenizer('a\r\n\r\n  \tb  \n  c   ')],
    ['1234567 //// \n/x', tokenizer('1234567 //// \n/x')],
    ['<|endoftext|>', 7],
  ])('of %j are those of the tokenizer', (text, expected) => {
    expect(counts.count(text)).toBe(expected);
  });

  it('are those of the tokenizer for any ASCII', () => {
    // Characters on which the pattern decides, more often than by chance.
    const telling = fc.constantFrom(
      ...Array.from(" \t\n\r\v\f'/_-.09azAZsStTlLvVeErRdDmM\u001f\u007f"),
    );
    const unit = fc.oneof(
      telling,
      fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(counts.count(text)).toBe(tokenizer(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are those of the tokenizer for source code and documentation', () => {
    for (const file of ['package-lock.json', 'README.md', 'test/bench/main.ts']) {
      const text = readFileSync(file, 'utf8').slice(0, 50_000);
      for (let at = 0; at < text.length; at += 1_500) {
        const part = text.slice(at, at + 1_500);
        expect(countO200k(part)).toBe(tokenizer(part));
      }
    }
  });

  it('are left to the tokenizer for other texts and long ones', () => {
    for (const text of ['é', 'a👋', 'x\ud800', 'a '.repeat(10_000)]) {
      expect(counts.count(text)).toBeUndefined();
    }
    expect(countO200k('größe 👋')).toBe(tokenizer('größe 👋'));
  });

  it('are the same when more pieces came than are remembered', () => {
    let asked = 0;
    const few = new TokenCounts((piece) => {
      asked += 1;
      return piece.length;
    });
    const text = (from: number): string =>
      Array.from({ length: 2_000 }, (_, at) => `x${(from + at).toString(36)}`).join('.');
    const lengthOf = (from: number) => text(from).length;
    for (let from = 0; from < 120_000; from += 2_000)
      expect(few.count(text(from))).toBe(lengthOf(from));
    expect(few.count(text(0))).toBe(lengthOf(0));
    const before = asked;
    expect(few.count(text(0))).toBe(lengthOf(0));
    expect(asked).toBe(before);
  });
});
