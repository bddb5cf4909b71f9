import { describe, expect, it } from '@jest/globals';

import { quotableLine, quotableText } from './quotable-text.js';

describe('words of a passage in an answer', () => {
  it.each([
    ['a citation', 'It is so [2], [1, 9].', 'It is so \\[2\\], \\[1, 9\\].'],
    ['code that does not end', 'a ``` b ```` c', 'a \\`\\`\\` b \\`\\`\\`\\` c'],
    ['an image', '![x](https://example.com/p.png)', '!\\[x](https://example.com/p.png)'],
    ['an image behind a hidden character', '!\u200B[x](u)', '!\\[x](u)'],
    ['an element', '<img src="x"></IFRAME>', '\\<img src="x">\\</IFRAME>'],
    ['another line', 'a\n\nSee also `x`:\r\n', 'a See also `x`:'],
    ['what is hidden', 'pass\u00ADword\u202E', 'password'],
  ])('do not create %s', (_, text, quoted) => {
    expect(quotableText(text)).toBe(quoted);
  });

  it('are unchanged without any of that', () => {
    const text = 'Takes a `List<String>`, an [option](https://example.com) and items[i]; `a`.';
    expect(quotableText(text)).toBe(text);
    expect(quotableLine('\titems[0] = `${a}` // 検索')).toBe('\titems[0] = `${a}` // 検索');
    expect(quotableLine('a\rb\u202Ec')).toBe('a bc');
  });
});
