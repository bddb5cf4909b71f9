import { describe, expect, it } from '@jest/globals';

import { POLICY_DEFAULTS, type PolicyEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { policyDecider } from './policy.decider.js';

const { given } = specify(policyDecider);
const refusing: PolicyEvent = {
  type: 'PolicyUpdated',
  data: { changes: { enforce_refusal: true } },
};

describe('policy', () => {
  it('has the defaults of the interface', () => {
    expect(given().thenState().settings).toEqual({
      staleness_budget_seconds: 2_592_000,
      source_priorities: { repo: 1, docs_html: 0.8, docs_openapi: 1.2 },
      min_evidence_count: 1,
      min_evidence_score: 0.3,
      enforce_staleness: true,
      enforce_refusal: false,
    });
  });

  it('records only the settings that change, one priority alone included', () => {
    given()
      .when({
        type: 'UpdatePolicy',
        data: {
          changes: { min_evidence_count: 1, source_priorities: { repo: 2, docs_html: 0.8 } },
        },
      })
      .then({ type: 'PolicyUpdated', data: { changes: { source_priorities: { repo: 2 } } } });
  });

  it('restores earlier settings by a change that names their revision, or by nothing', () => {
    const settings = { ...POLICY_DEFAULTS, min_evidence_count: 3 };
    const restore = { type: 'RestorePolicy', data: { settings, revision: 2 } } as const;
    const changes = { enforce_refusal: false, min_evidence_count: 3 };
    given(refusing)
      .when(restore)
      .then({ type: 'PolicyUpdated', data: { changes, restored_revision: 2 } });
    given({ type: 'PolicyUpdated', data: { changes: { min_evidence_count: 3 } } })
      .when(restore)
      .thenNothingHappened();
  });

  it('keeps the priorities that a change does not name', () => {
    const state = given({
      type: 'PolicyUpdated',
      data: { changes: { source_priorities: { repo: 0 } } },
    }).thenState();
    expect(state.settings.source_priorities).toEqual({
      repo: 0,
      docs_html: 0.8,
      docs_openapi: 1.2,
    });
  });

  it('records nothing for equal values', () => {
    given(refusing)
      .when({
        type: 'UpdatePolicy',
        data: { changes: { enforce_refusal: true, source_priorities: {} } },
      })
      .thenNothingHappened();
  });

  it('resets to the defaults once', () => {
    given(refusing).when({ type: 'ResetPolicy', data: {} }).then({ type: 'PolicyReset', data: {} });
    given(refusing, { type: 'PolicyReset', data: {} })
      .when({ type: 'ResetPolicy', data: {} })
      .thenNothingHappened();
    expect(given(refusing, { type: 'PolicyReset', data: {} }).thenState().settings).toEqual(
      POLICY_DEFAULTS,
    );
  });
});
