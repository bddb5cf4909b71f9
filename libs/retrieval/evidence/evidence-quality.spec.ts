import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { evidenceQuality } from './evidence-quality.js';

const result = fc.record({
  score: fc.double({ min: 0, max: 5, noNaN: true }),
  freshness_days: fc.double({ min: 0, max: 1000, noNaN: true }),
  is_stale: fc.boolean(),
});
const results = fc.array(result, { maxLength: 50 });
const topK = fc.integer({ min: 1, max: 50 });
const scoreOf = (list: Parameters<typeof evidenceQuality>[0]['results'], k: number): number =>
  evidenceQuality({ results: list, topK: k, hasConflicts: false }).score;

describe('evidenceQuality', () => {
  it('is never lowered by a further result', () => {
    fc.assert(
      fc.property(
        results,
        result,
        topK,
        (list, more, k) => scoreOf([...list, more], k) >= scoreOf(list, k),
      ),
    );
  });

  it('is never lowered by a fresher result', () => {
    fc.assert(
      fc.property(results, topK, (list, k) => {
        const fresher = list.map((entry) => ({ ...entry, is_stale: false }));
        return scoreOf(fresher, k) >= scoreOf(list, k);
      }),
    );
  });

  it('is never lowered by a better result', () => {
    fc.assert(
      fc.property(
        results,
        topK,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, k, at, gain) => {
          const better = list.map((entry, i) =>
            i === at % list.length ? { ...entry, score: entry.score + gain } : entry,
          );
          return scoreOf(better, k) >= scoreOf(list, k);
        },
      ),
    );
  });

  it('is never lowered, nor the confidence, by any mix of more, fresher and better', () => {
    const ranks = ['insufficient', 'low', 'medium', 'high'];
    const gain = fc.record({
      score: fc.double({ min: 0, max: 5, noNaN: true }),
      fresh: fc.boolean(),
    });
    const gains = fc.array(gain, { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(results, results, gains, topK, (list, more, by, k) => {
        const better = list.map((entry, at) => ({
          ...entry,
          score: entry.score + (by[at]?.score ?? 0),
          is_stale: entry.is_stale && !by[at]?.fresh,
        }));
        const before = evidenceQuality({ results: list, topK: k, hasConflicts: false });
        const after = evidenceQuality({
          results: [...better, ...more],
          topK: k,
          hasConflicts: false,
        });
        return (
          after.score >= before.score &&
          ranks.indexOf(after.confidence) >= ranks.indexOf(before.confidence)
        );
      }),
    );
  });

  it('does not depend on the order of the results', () => {
    const shuffled = results.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, topK, ([list, mixed], k) => scoreOf(mixed, k) === scoreOf(list, k)),
    );
  });

  it('is insufficient exactly when there is no result', () => {
    fc.assert(
      fc.property(results, topK, (list, k) => {
        const { confidence } = evidenceQuality({ results: list, topK: k, hasConflicts: false });
        return (confidence === 'insufficient') === (list.length === 0);
      }),
    );
  });

  it('stays within 0 and 1', () => {
    fc.assert(
      fc.property(results, topK, (list, k) => scoreOf(list, k) >= 0 && scoreOf(list, k) <= 1),
    );
  });

  it.each([
    [[], 'insufficient', 0],
    [[{ score: 0.2, freshness_days: 1, is_stale: false }], 'low', 0.146],
    [[{ score: 0.7, freshness_days: 1, is_stale: false }], 'medium', 0.511],
    [[{ score: 1.4, freshness_days: 1, is_stale: false }], 'high', 0.73],
  ] as const)('rates %j as %s', (list, confidence, score) => {
    const quality = evidenceQuality({ results: list, topK: 10, hasConflicts: false });
    expect(quality.confidence).toBe(confidence);
    expect(quality.score).toBeCloseTo(score, 6);
  });

  it('averages the age of the results', () => {
    const list = [1, 4].map((freshness_days) => ({ score: 0.5, freshness_days, is_stale: false }));
    expect(evidenceQuality({ results: list, topK: 10, hasConflicts: true })).toMatchObject({
      avg_freshness_days: 2.5,
      evidence_count: 2,
      has_conflicts: true,
    });
  });
});
