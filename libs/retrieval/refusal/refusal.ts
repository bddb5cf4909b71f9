import type { NoEvidence } from '#contracts';

/** The policy's thresholds. */
export interface RefusalPolicy {
  readonly enforce_refusal: boolean;
  readonly min_evidence_count: number;
  readonly min_evidence_score: number;
}

/** What was found: relevant chunks after the staleness filter, before `top_k` and the token budget, and the best score. */
export interface FoundEvidence {
  readonly relevantCount: number;
  readonly topScore: number;
}

/** Why the policy refuses this evidence, a sentence a threshold; empty when it does not. */
export function refusalReasons(policy: RefusalPolicy, found: FoundEvidence): string[] {
  if (!policy.enforce_refusal) return [];
  const reasons: string[] = [];
  if (found.relevantCount < policy.min_evidence_count) {
    reasons.push(
      `Found ${found.relevantCount} relevant results; the policy asks for at least ${policy.min_evidence_count} ` +
        '(min_evidence_count). Change it with PUT /policy.',
    );
  }
  if (found.topScore < policy.min_evidence_score) {
    reasons.push(
      `The top score is ${found.topScore.toFixed(2)}; the policy asks for at least ${policy.min_evidence_score} ` +
        '(min_evidence_score). Change it with PUT /policy.',
    );
  }
  return reasons;
}

/** The answer when the policy refuses. */
export function refused(query: string, sourcesSearched: number, reasons: readonly string[]): NoEvidence {
  return {
    message: 'The evidence found does not meet the trust policy.',
    query,
    sources_searched: sourcesSearched,
    suggestions: reasons,
  };
}

/** The answer when nothing relevant was found. */
export function nothingFound(query: string, sourcesSearched: number): NoEvidence {
  const suggestions =
    sourcesSearched === 0
      ? ['No synced source was searched: add a source with POST /sources and sync it, or widen the filters.']
      : ['Try other words, or names as they stand in the code.', 'Widen the filters, or sync more sources.'];
  return { message: 'No relevant evidence was found.', query, sources_searched: sourcesSearched, suggestions };
}
