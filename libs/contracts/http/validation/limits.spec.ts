import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

import { PageQuery } from '../page.dto.js';
import { textProblem } from './text.js';

describe('the longest text', () => {
  it.each(['x', 'é', '数', '😀'])(
    'is counted in code points, as the schema says: %s',
    (character) => {
      expect(textProblem(character.repeat(2000), { max: 2000 })).toBeNull();
      expect(textProblem(character.repeat(2001), { max: 2000 })).toBe(
        'must have at most 2000 characters',
      );
      expect(textProblem(character.repeat(500_000), { max: 2000 })).toBe(
        'must have at most 2000 characters',
      );
    },
  );
});

describe('a whole number in a query string', () => {
  const problemOf = (skip: string): unknown =>
    validateSync(plainToInstance(PageQuery, { skip })).flatMap(({ constraints }) =>
      Object.values(constraints ?? {}),
    );

  it.each(['1000000000', '99999999999999999999'])(
    'that is too large is named as such: %s',
    (skip) => {
      expect(problemOf(skip)).toEqual(['must not be greater than 999999999']);
    },
  );

  it.each(['', ' 5', '5.5', '1e3', '0x10', '+5', 'five'])(
    'is written in digits alone, not as "%s"',
    (skip) => {
      expect(problemOf(skip)).toEqual(['must be a whole number']);
    },
  );
});
