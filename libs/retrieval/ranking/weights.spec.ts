import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { rankingWeightsPage } from './ranking-weights-page.js';
import { RANKING_WEIGHTS } from './weights.js';

describe('ranking weights', () => {
  it('are documented in docs/ranking-weights.md', () => {
    expect(readFileSync('docs/ranking-weights.md', 'utf8')).toBe(rankingWeightsPage());
  });

  it('lie within their ranges', () => {
    for (const { value, range } of Object.values(RANKING_WEIGHTS)) {
      expect(value).toBeGreaterThanOrEqual(range[0]);
      expect(value).toBeLessThanOrEqual(range[1]);
    }
  });
});
