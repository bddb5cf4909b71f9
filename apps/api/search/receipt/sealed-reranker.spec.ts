import { describe, expect, it } from '@jest/globals';

import { uuidv7 } from '#platform';

import { openReranker, sealedReranker } from './sealed-reranker.js';

describe('sealed reranker', () => {
  it('keeps model, outcome and the order of 50 chunks in little room', () => {
    const chunkIds = Array.from({ length: 50 }, () => uuidv7());
    const used = { model: 'm', outcome: 'applied', chunkIds } as const;
    const sealed = JSON.stringify(sealedReranker(used));
    expect(openReranker(JSON.parse(sealed) as ReturnType<typeof sealedReranker>)).toEqual(used);
    expect(sealed.length).toBeLessThanOrEqual(1_150);
  });

  it('keeps an outcome without an order', () => {
    const used = { model: 'm', outcome: 'late' } as const;
    expect(openReranker(sealedReranker(used))).toEqual(used);
  });
});
