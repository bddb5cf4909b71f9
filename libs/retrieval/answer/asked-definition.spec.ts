import { describe, expect, it } from '@jest/globals';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { askedDefinition } from './asked-definition.js';

const definition = (symbol: string, start_line: number, end_line: number) => ({
  name: symbol.split('.').at(-1) ?? '',
  symbol,
  start_line,
  end_line,
});

const SHAPES = {
  symbol: 'Circle',
  definitions: [
    definition('Circle', 1, 6),
    definition('Circle.area', 3, 4),
    definition('Square.area', 8, 9),
    definition('compute_hypotenuse', 11, 14),
  ],
};

describe('the definition that a query asks for', () => {
  const asked = (query: string) => askedDefinition(analyzeQuery(query), SHAPES)?.symbol;

  it.each([
    ['compute_hypotenuse', 'compute_hypotenuse'],
    ['geometry.compute_hypotenuse()', 'compute_hypotenuse'],
    ['what does compute_hypotenuse return', 'compute_hypotenuse'],
    ['how is a Circle drawn', 'Circle'],
    ['area', 'Circle.area'],
    ['Square.area', 'Square.area'],
    ['shapes::Square::area', 'Square.area'],
  ])('is the one that it names: %s', (query, symbol) => {
    expect(asked(query)).toBe(symbol);
  });

  it('is recognized by the words of its name where none is spelled out', () => {
    expect(asked('compute the hypotenuse of a triangle')).toBe('compute_hypotenuse');
    expect(asked('the circle and its hypotenuse')).toBeUndefined();
  });

  it('is undefined where the query is about something else', () => {
    expect(asked('render a triangle')).toBeUndefined();
    expect(
      askedDefinition(analyzeQuery('area'), { symbol: undefined, definitions: [] }),
    ).toBeUndefined();
  });
});
