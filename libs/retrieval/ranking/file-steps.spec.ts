import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { tableOf } from '#test/support/rank-candidates';

import { saturateFiles } from './file-steps.js';
import { WEIGHTS } from './weights.js';

const SCORES = fc.array(fc.constantFrom(0, 0.1, 0.2, 0.4, 0.8), { minLength: 1, maxLength: 50 });

describe('the saturation of a file', () => {
  it('orders few and many chunks as a stable sort, and lowers each after the first', () => {
    fc.assert(
      fc.property(SCORES, (scores) => {
        // Seven ids, so that equal scores are ordered by id and equal ids by place.
        const table = tableOf(scores.map((_, at) => ({ chunkId: String(at % 7), path: 'a.ts' })));
        table.score.set(scores);
        const sorted = scores
          .map((score, at) => ({ at, score, id: table.input.chunkId(at) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.id.localeCompare(b.id));
        const lowered = sorted.map(({ at, score }, before) => {
          const factor = WEIGHTS.secondChunk * WEIGHTS.furtherChunkDecay ** (before - 1);
          return { at, score: before === 0 ? score : score * factor };
        });
        const ranked = Array.from(saturateFiles(table), (at) => ({ at, score: table.score[at] }));
        expect(ranked).toEqual(lowered);
      }),
    );
  });

  it('orders the chunks of many files by their lowered scores', () => {
    fc.assert(
      fc.property(SCORES, (scores) => {
        const table = tableOf(scores.map((_, at) => ({ path: `${at % 5}.ts` })));
        table.score.set(scores);
        const ranked = [...saturateFiles(table)];
        const expected = ranked.toSorted(
          (a, b) => (table.score[b] ?? 0) - (table.score[a] ?? 0) || table.input.compareIds(a, b),
        );
        expect(ranked).toEqual(expected);
        expect(ranked).toHaveLength(scores.filter((score) => score > 0).length);
      }),
    );
  });
});
