import { describe, expect, it } from '@jest/globals';

import { freshnessDays, isStale, stalenessSummary, stalenessWarning } from './staleness.js';

describe('staleness', () => {
  it('counts days since the last sync, never below 0', () => {
    expect(freshnessDays(0, 36 * 3_600_000)).toBe(1.5);
    expect(freshnessDays(1000, 0)).toBe(0);
  });

  it('is stale past the budget, not at it', () => {
    expect([isStale(30, 2_592_000), isStale(30.001, 2_592_000)]).toEqual([false, true]);
  });

  it('sums up and warns with the names', () => {
    const summary = stalenessSummary(
      [
        { name: 'Old API Docs', isStale: true },
        { name: 'app', isStale: false },
      ],
      2_592_000,
    );
    expect(summary).toEqual({
      total_sources: 2,
      fresh_sources: 1,
      stale_sources: 1,
      staleness_budget_days: 30,
      stale_source_names: ['Old API Docs'],
    });
    expect(stalenessWarning(summary)).toBe(
      'Results include sources stale beyond 30 day policy: Old API Docs',
    );
  });

  it('does not warn of fresh sources', () => {
    expect(
      stalenessWarning(stalenessSummary([{ name: 'app', isStale: false }], 60)),
    ).toBeUndefined();
  });
});
