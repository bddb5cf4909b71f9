import { describe, expect, it } from '@jest/globals';

import { weighTerms } from './weigh-terms.js';

function weighed(fields: Parameters<typeof weighTerms>[0]): Record<string, number> {
  const { terms, frequencies } = weighTerms(fields);
  return Object.fromEntries(terms.map((term, i) => [term, frequencies[i] as number]));
}

describe('weighTerms', () => {
  it('counts the body once, the path without extension once, names three times', () => {
    const fields = {
      path: 'lib/cache.ts',
      symbol: 'Store.load',
      defs: ['load', 'flush'],
      content: 'load cache load',
    };
    expect(weighed(fields)).toEqual({ load: 2 + 3, cach: 1 + 1, lib: 1, stor: 3, flush: 3 });
    expect(weighTerms(fields).length).toBe(14);
  });

  it('caps a frequency at 255, not the length', () => {
    const { frequencies, length } = weighTerms({ path: '', defs: [], content: 'x '.repeat(1000) });
    expect([frequencies[0], length]).toEqual([255, 1000]);
  });

  it('gives nothing for a chunk without a word', () => {
    expect(weighTerms({ path: '', defs: [], content: '{ } ;' })).toEqual({
      terms: [],
      frequencies: new Uint8Array(),
      length: 0,
    });
  });
});
