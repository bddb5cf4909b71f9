import { describe, expect, it } from '@jest/globals';

import { nothingFound, refusalReasons, refused } from './refusal.js';

const none = { stale: 0, withoutPriority: 0, missingContent: [] };
const policy = { enforce_refusal: true, min_evidence_count: 3, min_evidence_score: 0.3 };

describe('refusalReasons', () => {
  it('is silent when the policy does not enforce, or the thresholds are met exactly', () => {
    expect(
      refusalReasons({ ...policy, enforce_refusal: false }, { relevantCount: 0, topScore: 0 }),
    ).toEqual([]);
    expect(refusalReasons(policy, { relevantCount: 3, topScore: 0.3 })).toEqual([]);
  });

  it('states what was found against the threshold and where to change it', () => {
    const [count, score] = refusalReasons(policy, { relevantCount: 2, topScore: 0.214 });
    expect(count).toMatch(/2 relevant results.*at least 3.*PUT \/policy/);
    expect(score).toMatch(/0\.21.*at least 0\.3.*PUT \/policy/);
  });

  it('distinguishes an empty scope from an empty result', () => {
    expect(nothingFound('q', 0, none).suggestions).not.toEqual(
      nothingFound('q', 2, none).suggestions,
    );
  });

  it('shows a score that misses the threshold as less than it', () => {
    const [score] = refusalReasons(policy, { relevantCount: 3, topScore: 0.298 });
    expect(score).toMatch(/is 0\.298; .*at least 0\.3 /);
    const [tiny] = refusalReasons(policy, { relevantCount: 3, topScore: 0.299999999 });
    expect(tiny).toMatch(/is 0\.299999999; .*at least 0\.3 /);
  });

  it('says which sources were left out, and how to have them', () => {
    const stale = /stale: 2 of 3 sources.*include_stale true.*staleness_budget_seconds/;
    expect(nothingFound('q', 3, { ...none, stale: 2 }).suggestions[0]).toMatch(stale);
    const priority = /priority 0: 1 of 3 sources.*source_priorities.*PUT \/policy/;
    expect(nothingFound('q', 3, { ...none, withoutPriority: 1 }).suggestions[0]).toMatch(priority);
    const { suggestions } = refused('q', 3, ['reason'], { ...none, stale: 2, withoutPriority: 1 });
    expect(suggestions).toEqual([
      'reason',
      expect.stringMatching(stale),
      expect.stringMatching(priority),
    ]);
    expect(refused('q', 3, ['reason'], none).suggestions).toEqual(['reason']);
  });
});
