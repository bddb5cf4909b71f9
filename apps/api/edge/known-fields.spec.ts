import { describe, expect, it } from '@jest/globals';

import { nearestName } from '#contracts';
import { SearchBody } from '#contracts/http/index';

import { fieldsOf } from './known-fields.js';

describe('the name that was meant by an unknown one', () => {
  const known = fieldsOf(SearchBody);

  it.each([
    ['topk', 'top_k'],
    ['topK', 'top_k'],
    ['top-k', 'top_k'],
    ['querry', 'query'],
    ['source_id', 'source_ids'],
    ['maxTokens', 'max_tokens'],
  ])('is the nearest known one: %s', (unknown, meant) => {
    expect(nearestName(unknown, known)).toBe(meant);
  });

  it.each(['surprise', 'x', '', 'q', 'top_k'.repeat(1_000)])(
    'is undefined where no name is similar: %.20s',
    (unknown) => {
      expect(nearestName(unknown, known)).toBeUndefined();
    },
  );
});
