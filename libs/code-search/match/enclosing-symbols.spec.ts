import { describe, expect, it } from '@jest/globals';

import { enclosingSymbols } from './enclosing-symbols.js';

const of = (symbol: string, first: number, last: number) => ({ symbol, first, last });

describe('enclosingSymbols', () => {
  const definitions = [
    of('Cart', 3, 20),
    of('Cart.total', 5, 8),
    of('Cart.total.sum', 6, 6),
    of('Cart.add', 10, 12),
    of('one', 25, 25),
  ];

  it.each([
    ['before the first definition', 2, undefined],
    ['the first line of a definition', 3, 'Cart'],
    ['a nested definition', 6, 'Cart.total.sum'],
    ['the last line of a definition', 8, 'Cart.total'],
    ['between two members', 9, 'Cart'],
    ['after the last member', 13, 'Cart'],
    ['between definitions', 21, undefined],
    ['a definition of one line', 25, 'one'],
    ['after the last definition', 26, undefined],
  ])('names the definition around %s', (_, line, symbol) => {
    expect(enclosingSymbols(definitions, [line])).toEqual([symbol]);
  });

  it('returns the same for all lines together and for definitions in another order', () => {
    const lines = Array.from({ length: 30 }, (_, at) => at + 1);
    const alone = lines.map((line) => enclosingSymbols(definitions, [line])[0]);
    expect(enclosingSymbols([...definitions].reverse(), lines)).toEqual(alone);
  });

  it('prefers the shorter of two definitions that begin together', () => {
    expect(enclosingSymbols([of('a', 1, 2), of('b', 1, 9)], [1, 5])).toEqual(['a', 'b']);
  });
});
