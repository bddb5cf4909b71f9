import { describe, expect, it } from '@jest/globals';

import { candidate, OPTIONS, paths, QUERY, STATISTICS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { rank } from './rank.js';
import type { RankCandidate, RankStep } from './rank.types.js';

describe('rank, of files and copies', () => {
  it('shows the two best chunks of a file that is the answer, and makes room for others after them', () => {
    const same = [0.9, 0.89, 0.88].map((cosine, i) =>
      candidate({ path: 'a.ts', cosine, startLine: i * 20 + 1, endLine: i * 20 + 9 }),
    );
    const other = candidate({ path: 'b.ts', cosine: 0.2 });
    expect(paths([...same, other])).toEqual(['a.ts', 'a.ts', 'b.ts', 'a.ts']);
    const near = candidate({ path: 'b.ts', cosine: 0.85 });
    expect(paths([...same, near])).toEqual(['a.ts', 'b.ts', 'a.ts', 'a.ts']);
  });

  it('lets four chunks of a file speak for it, so that a long file does not win by its length', () => {
    const file = (path: string, count: number, cosine: number): RankCandidate[] =>
      Array.from({ length: count }, (_, i) =>
        candidate({ path, cosine, startLine: i * 20 + 1, endLine: i * 20 + 9 }),
      );
    expect(paths([...file('long.ts', 12, 0.6), ...file('right.ts', 4, 0.62)])[0]).toBe('right.ts');
    expect(paths([...file('single.ts', 1, 0.62), ...file('right.ts', 4, 0.6)])[0]).toBe('right.ts');
  });

  it('lifts the file whose chunks have most of a sentence between them, rare terms above all; a query of a few words does not ask so', () => {
    const sentence = analyzeQuery('broken call waits longer before another attempt');
    const asked = {
      ...STATISTICS,
      documentFrequencies: [2, ...sentence.terms.slice(1).map(() => 50)],
    };
    const has = (...terms: number[]) => sentence.terms.map((_, at) => (terms.includes(at) ? 1 : 0));
    const chunk = (path: string, startLine: number, terms: number[], cosine = 0.3) =>
      candidate({
        path,
        startLine,
        endLine: startLine + 9,
        termFrequencies: has(...terms),
        cosine,
      });
    const first = (found: readonly RankCandidate[], without: readonly RankStep[] = []) =>
      rank(sentence, found, asked, { ...OPTIONS, without: new Set(without) })[0]?.candidate.path;
    const between = [chunk('a.ts', 1, [1, 2]), chunk('a.ts', 20, [3, 4])];
    const again = [chunk('b.ts', 1, [1, 2], 0.31), chunk('b.ts', 20, [1, 2], 0.31)];
    expect([first([...again, ...between]), first([...again, ...between], ['coverage'])]).toEqual([
      'a.ts',
      'b.ts',
    ]);
    // The one rare term is worth more than one that half of the chunks have.
    const one = [chunk('common.ts', 1, [1], 0.5), chunk('rare.ts', 1, [0])];
    expect([first(one), first(one, ['coverage'])]).toEqual(['rare.ts', 'common.ts']);
    const scoreOf = (step: 'coverage' | 'saturation') =>
      rank(QUERY, [candidate({ path: 'a.ts', termFrequencies: [1, 1] })], STATISTICS, {
        ...OPTIONS,
        without: new Set([step]),
      })[0]?.score;
    expect(scoreOf('coverage')).toBe(scoreOf('saturation'));
  });

  it('lifts that file less for a sentence that contains a name', () => {
    const shareOf = (text: string): number => {
      const query = analyzeQuery(text);
      const terms = query.terms.map(() => 1);
      const asked = { ...STATISTICS, documentFrequencies: terms.map(() => 50) };
      const score = (without: readonly RankStep[]): number =>
        rank(query, [candidate({ path: 'a.ts', termFrequencies: terms })], asked, {
          ...OPTIONS,
          without: new Set(without),
        })[0]?.score ?? NaN;
      const before = score(['coverage']);
      return (score([]) - before) / ((1 - before) * before);
    };
    expect(shareOf('broken calls wait longer before another attempt')).toBeCloseTo(0.4, 6);
    expect(shareOf('broken calls wait longer before BackoffTimer attempts')).toBeCloseTo(0.24, 6);
    expect(shareOf('BackoffTimer')).toBe(0);
  });

  it('collapses equal content and overlapping lines of a file', () => {
    const ranked = paths([
      candidate({ path: 'a.ts', contentHash: 'same', cosine: 0.9 }),
      candidate({ path: 'copy/a.ts', contentHash: 'same', cosine: 0.8 }),
      candidate({ path: 'a.ts', startLine: 9, endLine: 20, cosine: 0.7 }),
      candidate({ path: 'a.ts', startLine: 10, endLine: 20, cosine: 0.6 }),
    ]);
    expect(ranked).toEqual(['a.ts', 'a.ts']);
  });

  it('lists the copies of a result, those of other sources included', () => {
    const ranked = rank(
      QUERY,
      [
        candidate({ path: 'a.ts', contentHash: 'same', cosine: 0.9 }),
        candidate({ path: 'copy/a.ts', contentHash: 'same', cosine: 0.8 }),
        candidate({ sourceId: 'mirror', path: 'a.ts', contentHash: 'same', cosine: 0.7 }),
        candidate({ path: 'other.ts', cosine: 0.6 }),
      ],
      STATISTICS,
      OPTIONS,
    );
    expect(
      ranked.map(({ candidate: shown, copies }) => [
        shown.path,
        copies?.map(({ sourceId, path }) => `${sourceId}:${path}`),
      ]),
    ).toEqual([
      ['a.ts', ['source:copy/a.ts', 'mirror:a.ts']],
      ['other.ts', undefined],
    ]);
  });

  it.each([
    [
      'the one whose source is not stale',
      { isStale: true, priority: 2 },
      { isStale: false, priority: 1 },
    ],
    [
      'the one synced on a later day',
      { syncedAt: 1, priority: 2 },
      { syncedAt: 86_400_000, priority: 1 },
    ],
    [
      'of one day the one of higher priority',
      { syncedAt: 9, priority: 1 },
      { syncedAt: 1, priority: 2 },
    ],
  ])('shows of equal content in two sources %s, whichever id is smaller', (_, worse, better) => {
    const sourceOf = (id: string) => ({
      ...OPTIONS.sourceOf(id),
      ...(id === 'worse' ? worse : better),
    });
    const copy = (sourceId: string) =>
      candidate({ sourceId, path: `${sourceId}.ts`, contentHash: 'copied' });
    const other = candidate({ path: 'other.ts', cosine: 0.9 });
    for (const copies of [
      [copy('worse'), copy('better')],
      [copy('better'), copy('worse')],
    ]) {
      const found = paths([other, ...copies], QUERY, { ...OPTIONS, sourceOf });
      expect(found.toSorted()).toEqual(['better.ts', 'other.ts']);
    }
  });

  it('shows another copy of content where lines of the best one are shown already', () => {
    const sourceOf = (id: string) => ({ ...OPTIONS.sourceOf(id), isStale: id === 'stale' });
    const found = rank(
      QUERY,
      [
        candidate({ path: 'a.ts', cosine: 0.9, startLine: 1, endLine: 9 }),
        candidate({ path: 'a.ts', cosine: 0.5, startLine: 5, endLine: 12, contentHash: 'copied' }),
        candidate({ sourceId: 'stale', path: 'b.ts', cosine: 0.5, contentHash: 'copied' }),
      ],
      STATISTICS,
      { ...OPTIONS, sourceOf },
    );
    expect(found.map(({ candidate: { path } }) => path)).toEqual(['a.ts', 'b.ts']);
  });
});
