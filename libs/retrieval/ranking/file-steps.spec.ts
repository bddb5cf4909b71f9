import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { saturateFiles } from './file-steps.js';
import type { RankCandidate } from './rank.types.js';
import { byRank, type Scored } from './scored.js';
import { WEIGHTS } from './weights.js';

function scoredAt(score: number, at: number): Scored<RankCandidate> {
  const candidate = { chunkId: String(at % 7) } as RankCandidate;
  const source = { priority: 1, isRepository: true, isStale: false, syncedAt: 0 };
  return { candidate, file: 0, source, lexical: at, semantic: 0, combined: 0, score };
}

describe('the saturation of a file', () => {
  it('orders few and many chunks as a stable sort, and lowers each after the first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0.1, 0.2, 0.4, 0.8), { minLength: 1, maxLength: 30 }),
        (scores) => {
          const chunks = scores.map(scoredAt);
          const sorted = [...chunks].sort(byRank);
          const expected = sorted.map(({ lexical, score }, before) => {
            const factor = WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (before - 1);
            return { lexical, score: before === 0 ? score : score * factor };
          });
          const lowered = saturateFiles([chunks]).map(({ lexical, score }) => ({ lexical, score }));
          expect(lowered.sort((a, b) => a.lexical - b.lexical)).toEqual(
            expected.sort((a, b) => a.lexical - b.lexical),
          );
        },
      ),
    );
  });
});
