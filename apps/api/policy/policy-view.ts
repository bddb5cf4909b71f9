import type { PolicySettings } from '#contracts';
import type { PolicyView } from '#contracts/http/index';

const SECONDS_A_DAY = 86_400;

export function policyView(
  settings: PolicySettings,
  createdAt: string,
  updatedAt: string,
): PolicyView {
  return {
    id: 'default',
    name: 'default',
    staleness_budget_seconds: settings.staleness_budget_seconds,
    staleness_budget_days: Math.floor(settings.staleness_budget_seconds / SECONDS_A_DAY),
    source_priorities: { ...settings.source_priorities },
    min_evidence_count: settings.min_evidence_count,
    min_evidence_score: settings.min_evidence_score,
    enforce_staleness: settings.enforce_staleness,
    enforce_refusal: settings.enforce_refusal,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
