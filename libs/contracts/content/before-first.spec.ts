import { describe, expect, it } from '@jest/globals';

import { beforeFirst } from './before-first.js';

describe('the text before the first of several marks', () => {
  it.each([
    ['/users/42?full=1#top', '?#', '/users/42'],
    ['/users/42#top?full=1', '?#', '/users/42'],
    ['/users/42', '?#', '/users/42'],
    ['#top', '#', ''],
    ['a#b#c', '#', 'a'],
    ['', '#', ''],
  ])('cuts %j at one of %j', (text, marks, expected) => {
    expect(beforeFirst(text, marks)).toBe(expected);
  });

  it('cuts a text of several lines at the first line that has a mark', () => {
    expect(beforeFirst('one\ntwo#three\nfour', '#')).toBe('one\ntwo');
  });
});
