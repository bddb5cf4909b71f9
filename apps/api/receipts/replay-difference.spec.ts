import { describe, expect, it } from '@jest/globals';

import { RANKING_VERSION } from '#retrieval';

import { replayDifference } from './replay-difference.js';

describe('replayDifference', () => {
  it.each([
    ['the ranking, of a receipt without a version', undefined, 'ranking_version'],
    ['the ranking, of a receipt of another version', RANKING_VERSION - 1, 'ranking_version'],
    ['the vector, of a receipt of the same version', RANKING_VERSION, 'query_vector'],
  ] as const)('names %s', (_, version, cause) => {
    expect(replayDifference({ ranking_version: version })).toBe(cause);
  });
});
