import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyze } from './analyze.js';
import { TermDictionary, type WeighedFields } from './term-dictionary.js';
import { weighTerms } from './weigh-terms.js';

const inWords = (dictionary: TermDictionary, fields: WeighedFields) => {
  const { ids, frequencies, length } = dictionary.weigh(fields);
  return { terms: ids.map((id) => dictionary.terms[id]), frequencies, length };
};
const text = (content: string): WeighedFields => ({ path: '', defs: [], content });

describe('a dictionary of terms', () => {
  it('weighs each text as if it were the only one', () => {
    const word = fc.constantFrom(
      'parse',
      'parseTree',
      'get_user_ids',
      'größe',
      'Größe',
      '検索',
      'x1',
      '42',
      '$',
      'ＡＢ',
    );
    const content = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    const chunk = fc.record({
      path: content,
      symbol: fc.option(content, { nil: undefined }),
      defs: fc.array(word),
      content,
    });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 6 }), (chunks) => {
        const dictionary = new TermDictionary();
        for (const fields of chunks)
          expect(inWords(dictionary, fields)).toEqual(weighTerms(fields));
        expect(new Set(dictionary.terms).size).toBe(dictionary.terms.length);
      }),
    );
  });

  it('counts the terms that the analyzer finds, in their order, of many more words than it has room for at first', () => {
    const contents = Array.from({ length: 40 }, (_, nth) =>
      Array.from(
        { length: 200 },
        (__, at) => `w${((nth * 131 + at) * 7919) % 4_001}Of${at % 7}`,
      ).join('.'),
    );
    const dictionary = new TermDictionary();
    for (const content of [...contents, ...contents]) {
      const counts = new Map<string, number>();
      for (const term of analyze(content)) counts.set(term, (counts.get(term) ?? 0) + 1);
      const { terms, frequencies, length } = inWords(dictionary, text(content));
      expect(terms).toEqual([...counts.keys()]);
      expect([...frequencies]).toEqual([...counts.values()].map((count) => Math.min(count, 255)));
      expect(length).toBe(analyze(content).length);
    }
    expect(dictionary.terms.length).toBeGreaterThan(4_000);
  });

  it('takes words of one beginning and of one length apart', () => {
    const dictionary = new TermDictionary();
    expect(inWords(dictionary, text('ab abc abd ab')).terms).toEqual(['ab', 'abc', 'abd']);
  });
});
