import { describe, expect, it } from '@jest/globals';

import type { Citation } from '#contracts';
import { escapeInvisible } from '#retrieval';

import { fenced } from './fence.js';
import { fitLines } from './fit-lines.js';
import { oneLine } from './one-line.js';
import { fitPassages } from './passages.js';

const CITATION: Citation = {
  chunk_id: 'c',
  source_id: 's',
  source_name: 'Flask',
  path: 'src/ctx.py',
  start_line: 3,
  end_line: 22,
  version_ref: '0123456789abcdef0123456789abcdef01234567',
  language: 'python',
  chunk_type: 'code',
};
const content = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
/** Counts words, so that the arithmetic of a test is exact. */
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('passages in a budget', () => {
  it('are whole with their citation where they fit', () => {
    const { text, shown } = fitPassages([{ content, citation: CITATION }], 1_000, words);
    expect(shown).toBe(1);
    expect(text).toBe(`[1] Flask src/ctx.py:3-22 @0123456789ab\n\`\`\`python\n${content}\n\`\`\``);
  });

  it.each([20, 30, 40, 44])('never exceed %i tokens, and say how much was cut', (room) => {
    const passages = [
      { content, citation: CITATION },
      { content, citation: CITATION },
    ];
    const { text, shown } = fitPassages(passages, room, words);
    expect(words(text)).toBeLessThanOrEqual(room);
    expect(shown).toBe(text.split('[').length - 1);
    expect(text).toMatch(/\d+ more lines; read_file shows them/);
  });

  it('are left out where no useful part fits', () => {
    expect(fitPassages([{ content, citation: CITATION }], 8, words)).toEqual({
      text: '',
      shown: 0,
    });
  });

  it('name the best lines', () => {
    const passage = { content, citation: CITATION, best_lines: { start_line: 8, end_line: 15 } };
    expect(fitPassages([passage], 1_000, words).text).toContain(
      'src/ctx.py:3-22 @0123456789ab (best lines 8-15)\n',
    );
  });

  it('mark stale sources', () => {
    const stale = { content: 'x', citation: CITATION, is_stale: true };
    expect(fitPassages([stale], 100, words).text).toContain('@0123456789ab (stale)');
  });
});

describe('lines in a budget', () => {
  it('count what is left, and clip long lines', () => {
    expect(fitLines(['a b', 'c d', 'e f'], 4, words)).toEqual({ lines: ['a b', 'c d'], left: 1 });
    const [clipped] = fitLines(['x'.repeat(5_000)], 100, words).lines;
    expect(clipped).toBe(`${'x'.repeat(2_000)} (3000 more characters)`);
  });
});

describe('indexed text', () => {
  it.each([
    ['plain', '```'],
    ['a ``` fence', '````'],
    ['a `````` run', '```````'],
  ])('is fenced by more backticks than it has: %s', (text, fence) => {
    expect(fenced(text)).toBe(`${fence}\n${text}\n${fence}`);
  });

  it('takes no line feed from a language', () => {
    expect(fenced('x', 'py\n## a b')).toBe('```py##ab\nx\n```');
  });

  it.each([
    ['zero\u200bwidth', 'zero\\u{200b}width'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['bidi\u202e', 'bidi\\u{202e}'],
    ['selector\ufe0f', 'selector\\u{fe0f}'],
    ['bell\u0007', 'bell\\u{7}'],
    ['tab\tand\nfeed é 漢字', 'tab\tand\nfeed é 漢字'],
  ])('shows invisible characters as escapes', (text, shown) => {
    expect(escapeInvisible(text)).toBe(shown);
  });

  it('keeps names in one line', () => {
    expect(oneLine('a\nb\tc')).toBe('a\\nb c');
  });
});
