import { describe, expect, it } from '@jest/globals';

import type { DataCut } from '../tool.types.js';
import { fitData } from './fit-data.js';

/** Characters for tokens, so that the arithmetic of a test is exact. */
const countTokens = (text: string) => text.length;
const within = (data: object, cut: DataCut, tokens: number) =>
  fitData({ ...data }, cut, { tokens, countTokens });
const items = Array.from({ length: 40 }, (_, at) => ({ name: `item ${at}` }));
const cut: DataCut = {
  lists: ['items', 'others'],
  continued: (shown) => ({ more: `from ${shown}` }),
};

describe('data in a budget', () => {
  it('is the data itself where it fits', () => {
    const data = { total: 40, items, others: [1] };
    expect(within(data, cut, 2_000)).toEqual(data);
  });

  it.each([200, 300, 500, 800])(
    'has the first items within %i tokens, and counts the rest',
    (tokens) => {
      const fitted = within({ total: 40, items, others: [1, 2] }, cut, tokens);
      const shown = (fitted['items'] as unknown[]).length;
      expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(tokens);
      expect(fitted['items']).toEqual(items.slice(0, shown));
      expect(shown).toBeGreaterThan(0);
      const others = (fitted['others'] as unknown[]).length;
      expect(fitted).toMatchObject({ not_shown: 42 - shown - others, more: `from ${shown}` });
    },
  );

  it('cuts the list within an item, and counts what is in it', () => {
    const files = [
      { path: 'a', lines: items.slice(0, 3) },
      { path: 'b', lines: items },
    ];
    const fitted = within({ files }, { ...cut, lists: ['files'], within: 'lines' }, 400);
    const [first, second] = fitted['files'] as { lines: unknown[] }[];
    const shown = 3 + (second?.lines.length ?? 0);
    expect(first).toEqual(files[0]);
    expect(shown).toBeGreaterThan(4);
    expect(fitted).toMatchObject({ not_shown: 43 - shown, more: `from ${shown}` });
    expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(400);
  });

  it('cuts texts after a line, before lists', () => {
    const text = items.map(({ name }) => name).join('\n');
    const texts: DataCut = { ...cut, texts: ['content'] };
    const fitted = within({ content: text, items }, texts, 300);
    const lines = String(fitted['content']).split('\n');
    expect(text.startsWith(lines.join('\n'))).toBe(true);
    expect(fitted).toMatchObject({ items: [], more: `from ${lines.length}` });
  });

  it('counts what an item costs besides', () => {
    const room = { tokens: 500, countTokens, besides: () => 100 };
    expect(fitData({ items }, cut, room)['items']).toHaveLength(3);
  });

  it('shows nothing of an item that no budget has room for', () => {
    const fitted = within({ items: ['x'.repeat(300_000)] }, cut, 1_000_000);
    expect(fitted).toMatchObject({ items: [], not_shown: 1, more: 'from 0' });
  });
});
