import { describe, expect, it } from '@jest/globals';

import { openSentences, sealedSentences } from './sealed-sentences.js';

describe('sealed sentences', () => {
  it('keep every number of the vector and the compared sources', () => {
    const sources = Array.from({ length: 19 }, (_, at) => ({ sourceId: `s${at}` }));
    const used = {
      encoder: 'e',
      vector: { q: Int8Array.from([-127, -1, 0, 1, 127]), scale: 0.25 },
      sourceIds: ['s0', 's18', 's7'],
    };
    const sealed = sealedSentences(used, sources);
    expect(openSentences(sealed, [...sources].reverse())).toEqual({
      ...used,
      sourceIds: ['s0', 's18', 's7'].sort(),
    });
  });
});
