import { describe, expect, it } from '@jest/globals';

import { textbookBm25 } from './textbook-bm25.js';

describe('textbookBm25', () => {
  it('scores as the formula says', () => {
    const find = textbookBm25(['red red fish', 'blue fish', 'green bird']);
    const [first, ...others] = find('Red');
    // Two of 3 words where a text has 7/3 on average: ln(1 + 2.5/1.5) · 2·2.2 / (2 + 1.2·(.25 +
    // .75·9/7))
    expect(first?.text).toBe(0);
    expect(first?.score).toBeCloseTo(
      (Math.log(1 + 2.5 / 1.5) * 4.4) / (2 + 1.2 * (0.25 + (0.75 * 9) / 7)),
      10,
    );
    expect(others).toEqual([]);
  });

  it('prefers the rarer word, and the shorter of two equal texts', () => {
    const find = textbookBm25(['fish one', 'fish bird', 'fish', 'fish one two three four']);
    expect(find('bird fish').map(({ text }) => text)).toEqual([1, 2, 0, 3]);
  });

  it('neither cuts identifiers nor stems', () => {
    const find = textbookBm25(['parseRequest parse_request', 'parse']);
    expect(find('request')).toEqual([]);
    expect(find('parserequest').map(({ text }) => text)).toEqual([0]);
    expect(find('parsed')).toEqual([]);
  });

  it('finds nothing in nothing', () => {
    expect(textbookBm25([])('anything')).toEqual([]);
  });
});
