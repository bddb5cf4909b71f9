import { describe, expect, it } from '@jest/globals';

import { nothingFound, refusalReasons } from './refusal.js';

const policy = { enforce_refusal: true, min_evidence_count: 3, min_evidence_score: 0.3 };

describe('refusalReasons', () => {
  it('is silent when the policy does not enforce, or the thresholds are met exactly', () => {
    expect(refusalReasons({ ...policy, enforce_refusal: false }, { relevantCount: 0, topScore: 0 })).toEqual([]);
    expect(refusalReasons(policy, { relevantCount: 3, topScore: 0.3 })).toEqual([]);
  });

  it('states what was found against the threshold and where to change it', () => {
    const [count, score] = refusalReasons(policy, { relevantCount: 2, topScore: 0.214 });
    expect(count).toMatch(/2 relevant results.*at least 3.*PUT \/policy/);
    expect(score).toMatch(/0\.21.*at least 0\.3.*PUT \/policy/);
  });

  it('tells apart that nothing was searched from that nothing was found', () => {
    expect(nothingFound('q', 0).suggestions).not.toEqual(nothingFound('q', 2).suggestions);
  });
});
