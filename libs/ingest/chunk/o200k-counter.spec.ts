import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens, encode } from 'gpt-tokenizer/encoding/o200k_base';

import { O200kCounter } from './o200k-counter.js';
import { TokenVocabulary } from './o200k-vocabulary.js';
import { buildTables } from './vocabulary-tables.js';

const PLAIN = { disallowedSpecial: new Set<string>() };
const counter = new O200kCounter();

describe('tokens counted by byte pairs', () => {
  it.each([
    ['nothing', ''],
    ['a marker of the model', '<|endoftext|> <|fim_prefix|>'],
    [
      'accents and other scripts',
      'naïve Größe Ελλάδα русский язык 日本語のテキスト 한국어 עברית العربية',
    ],
    ['symbols beyond 16 bits', '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳𝒴 😀😀😀'],
    ['half a pair', 'a\ud83d b\ude00 \ud83d\ud83d\ude00 \ufffd\ud800'],
    [
      'byte order marks',
      '\ufeffusing System;\n\ufeff\ufeff\ufeff//\ufeff#\ufeff\n\ufeff\n\nx\ufeffy é\ufeffusing',
    ],
    ['a long line without a break', 'aB3$'.repeat(400) + 'ü'.repeat(300)],
    ['combined marks', 'e\u0301\u0301a\u0308 \u200b\u200d\u00a0\u3000x'],
    ['control characters', '\u0000\u0001\u0085\u2028\u2029\r\n\r\v\f'],
  ])('are those of gpt-tokenizer for %s', (_, text) => {
    expect(counter.count(text)).toBe(countTokens(text, PLAIN));
  });

  it('are those of gpt-tokenizer for any text', () => {
    const telling = fc.constantFrom(
      ...Array.from(" \t\n\r'/_-.09azAZsté\u0301Ωд日本한\ufeff\u200b\u00a0😀"),
      '\ud83d',
      '\ude00',
      '\ufeffusing',
      'ing',
      ' the',
    );
    const unit = fc.oneof(telling, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        expect(counter.count(text)).toBe(countTokens(text, PLAIN));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a vocabulary', () => {
  it('finds every token by its bytes, and nothing else', () => {
    const vocabulary = new TokenVocabulary(buildTables(Buffer.from('IQ== 7\nYWI= 1234\n4pyT 9')));
    const rank = (text: string) =>
      vocabulary.rank(Buffer.from(`_${text}_`), 1, 1 + Buffer.byteLength(text));
    expect(['!', 'ab', '✓', 'a', 'abc', ''].map(rank)).toEqual([7, 1234, 9, -1, -1, -1]);
  });

  it('has the ranks of the pieces that are one token', () => {
    for (const text of ['the', ' function', '日本', '();\n']) {
      const [only, ...others] = encode(text);
      expect([typeof only, others.length, counter.count(text)]).toEqual(['number', 0, 1]);
    }
  });
});
