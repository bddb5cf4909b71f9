import { describe, expect, it } from '@jest/globals';

import { visibleText } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['instructions in language tags', 'ok\u{E0069}\u{E0067}\u{E006E}', 'ok'],
    ['zero-width characters', 'ig\u200Bno\u200Dre\uFEFF', 'ignore'],
    ['directions', 'a\u202Eb\u2066c\u2069', 'abc'],
    ['controls', 'a\u0000b\u001B[31mc\u009B', 'ab[31mc'],
    ['hidden variation selectors', 'a\uFE01b\u{E0100}', 'ab'],
    ['private use and no characters', 'a\uE000b\uFDD0c', 'abc'],
    ['halves of characters', 'a\uD83Db', 'a\uFFFDb'],
    ['soft hyphens and fillers', 'pass\u00ADword\u3164', 'password'],
  ])('removes %s', (_, text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  it('keeps readable text: tabs, line ends, every script, emoji', () => {
    const text = '\tif (a) {\n}\n検索 поиск 🎉 é';
    expect(visibleText(text)).toBe(text);
    expect(visibleText('a\r\nb\rc')).toBe('a\nb\nc');
  });
});
