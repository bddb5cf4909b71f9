import { describe, expect, it } from '@jest/globals';

import { utf16Column } from './utf16-column.js';

describe('columns of an index', () => {
  const line = 'é = "😀" + x';

  it.each([
    ['utf8', 14, 11],
    ['utf16', 11, 11],
    ['utf32', 10, 11],
  ] as const)('in %s become columns in UTF-16', (units, column, expected) => {
    expect(line.slice(expected)).toBe('x');
    expect(utf16Column(line, column, units)).toBe(expected);
  });

  it('are undefined inside of a character and after the line', () => {
    expect(utf16Column(line, 1, 'utf8')).toBeUndefined();
    expect(utf16Column(line, 100, 'utf32')).toBeUndefined();
    expect(utf16Column(line, 13, 'utf16')).toBeUndefined();
    expect(utf16Column(line, 12, 'utf16')).toBe(12);
  });
});
