import type { PolicySettings } from '#contracts';

/** A tenant's policy before anybody changes it. */
export const POLICY_DEFAULTS: PolicySettings = Object.freeze({
  staleness_budget_seconds: 2_592_000,
  source_priorities: Object.freeze({ repo: 1.0, docs_html: 0.8, docs_openapi: 1.2 }),
  min_evidence_count: 1,
  min_evidence_score: 0.3,
  enforce_staleness: true,
  enforce_refusal: false,
});

/** `default`: every setting is at its default. */
export interface PolicyState {
  readonly status: 'default' | 'changed';
  readonly settings: PolicySettings;
}
