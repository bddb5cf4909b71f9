import { describe, expect, it } from '@jest/globals';

import { candidate } from '#test/support/rank-candidates';

import { ContentMap, sameContent } from './content-map.js';

describe('ContentMap', () => {
  it.each([
    ['with a number', 7],
    ['without a number', undefined],
  ])('finds the last value of a content hash %s', (_, contentNumber) => {
    const values = new ContentMap<string>();
    const first = candidate({ contentHash: 'a', contentNumber });
    values.set(first, 'old');
    values.set(candidate({ contentHash: 'a', contentNumber }), 'new');
    expect(values.get(first)).toBe('new');
    expect(values.get(candidate({ contentHash: 'b', contentNumber: 8 }))).toBeUndefined();
  });

  it('separates contents that share a number', () => {
    const values = new ContentMap<string>();
    const contents = ['a', 'b', 'c'].map((contentHash) =>
      candidate({ contentHash, contentNumber: 7 }),
    );
    for (const content of contents.slice(0, 2)) values.set(content, content.contentHash);
    expect(contents.map((content) => values.get(content))).toEqual(['a', 'b', undefined]);
    const [a, b] = contents as [(typeof contents)[0], (typeof contents)[0]];
    expect(sameContent(a, b)).toBe(false);
    expect(sameContent(a, candidate({ contentHash: 'a', contentNumber: 7 }))).toBe(true);
  });
});
