import { describe, expect, it } from '@jest/globals';

import { LineJoiner } from './repair-text.js';

describe('joining the lines of a paragraph', () => {
  const joiner = new LineJoiner(['indexing well-known']);

  it('joins a word that a line end cut, however long the paragraph before it is', () => {
    const before = Array.from({ length: 300 }, (_, at) => `line ${at}`);
    expect(joiner.join([...before, 'about index-', 'ing of well-', 'known names'])).toBe(
      `${before.join(' ')} about indexing of well-known names`,
    );
  });

  it('joins a word that is cut over three lines', () => {
    expect(joiner.join(['in-', 'dex-', 'ing'])).toBe('indexing');
  });

  it('reads each character a bounded number of times', () => {
    const line = 'word '.repeat(40).trim();
    const counted = (lines: number) => {
      let read = 0;
      const counting = new LineJoiner([]);
      const pair = Reflect.get(counting, 'pair') as (text: string, next: string) => string;
      Reflect.set(counting, 'pair', (text: string, next: string) => {
        read += text.length + next.length;
        return pair.call(counting, text, next);
      });
      counting.join(Array.from({ length: lines }, () => line));
      return read;
    };
    expect(counted(2_000)).toBeLessThan(2.2 * counted(1_000));
  });
});
