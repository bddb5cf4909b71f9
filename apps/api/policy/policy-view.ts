import type { PolicySettings } from '#contracts';
import type { PolicyView } from '#contracts/http/index';

const SECONDS_A_DAY = 86_400;

/** The budget in days as policy and searches show it: whole days, at least 1 for any budget. */
export function stalenessDays(seconds: number): number {
  return Math.max(1, Math.round(seconds / SECONDS_A_DAY));
}

export function policyView(settings: PolicySettings, createdAt: string, updatedAt: string): PolicyView {
  return {
    id: 'default',
    name: 'default',
    staleness_budget_seconds: settings.staleness_budget_seconds,
    staleness_budget_days: stalenessDays(settings.staleness_budget_seconds),
    source_priorities: { ...settings.source_priorities },
    min_evidence_count: settings.min_evidence_count,
    min_evidence_score: settings.min_evidence_score,
    enforce_staleness: settings.enforce_staleness,
    enforce_refusal: settings.enforce_refusal,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
