import { describe, expect, it } from '@jest/globals';

import { analyseQuery } from '../analysis/analyse-query.js';
import { chooseHopTerms, hopWords } from './hops.js';

const ORIGIN = {
  content: 'def open_session(self, request):\n    return SigningSerializer(request.key, 42).loads(request.cookie)',
  symbol: 'SessionInterface.open_session',
  defs: ['open_session'],
};

describe('words that a hop adds', () => {
  const words = hopWords(ORIGIN, analyseQuery('how is the cookie of a request read'));

  it('are of the origin and not of the query, without stop words, numbers and short words; names are known as such', () => {
    const found = words.map(({ word }) => word);
    expect(found).toEqual(expect.arrayContaining(['SessionInterface', 'open_session', 'SigningSerializer', 'loads']));
    for (const word of ['request', 'cookie', 'return', '42']) expect(found).not.toContain(word);
    expect(words.find(({ word }) => word === 'open_session')).toMatchObject({ isName: true, count: 3 });
    expect(words.find(({ word }) => word === 'SigningSerializer')).toMatchObject({ isName: false, count: 1 });
  });

  const chosen = (frequency: (word: string) => number, chunks = 1_000) =>
    chooseHopTerms(words, { chunks, documentFrequencies: words.map(({ word }) => frequency(word)) });

  it('are the rare ones first, and none that only the origin has', () => {
    const frequencies: Record<string, number> = { open_session: 1, SigningSerializer: 3, loads: 40 };
    const best = chosen((word) => frequencies[word] ?? 900);
    expect(best.slice(0, 2)).toEqual(['SigningSerializer', 'loads']);
    expect(best).not.toContain('open_session');
    expect(chosen(() => 1)).toEqual([]);
  });

  it('prefer names, are at most five, and the same for the same input', () => {
    expect(chosen(() => 10)[0]).toBe('open_session');
    const many = { ...ORIGIN, content: Array.from({ length: 5_000 }, (_, at) => `word${at}x`).join(' ') };
    const bounded = hopWords(many, analyseQuery('x'));
    expect(bounded).toHaveLength(128);
    const terms = chooseHopTerms(bounded, { chunks: 100, documentFrequencies: bounded.map(() => 2) });
    expect(terms).toHaveLength(5);
    expect(chooseHopTerms(bounded, { chunks: 100, documentFrequencies: bounded.map(() => 2) })).toEqual(terms);
  });
});
