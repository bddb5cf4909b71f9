import { describe, expect, it } from '@jest/globals';

import { firstOfFiles } from './first-of-files.js';

describe('firstOfFiles', () => {
  it('leaves out what a file has beyond its first ones, and keeps the order', () => {
    const places = ['a', 'b', 'a', 'a', 'b', 'c'].map((path, at) => ({
      path,
      startLine: at,
      endLine: at,
    }));
    expect(firstOfFiles(places, 2).map(({ path, startLine }) => `${path}${startLine}`)).toEqual([
      'a0',
      'b1',
      'a2',
      'b4',
      'c5',
    ]);
    expect(firstOfFiles(places, Infinity)).toEqual(places);
  });
});
