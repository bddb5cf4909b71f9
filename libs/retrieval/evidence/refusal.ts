import type { NoEvidence } from '#contracts';

const MAX_DIGITS = 6;

/** The policy's thresholds. */
export interface RefusalPolicy {
  readonly enforce_refusal: boolean;
  readonly min_evidence_count: number;
  readonly min_evidence_score: number;
}

/**
 * Relevant chunks after the staleness filter, before `top_k` and the token budget, and the best
 * score.
 */
export interface FoundEvidence {
  readonly relevantCount: number;
  readonly topScore: number;
}

/**
 * Returns the reasons why the policy rejects this evidence, a sentence for each threshold; empty if
 * it does not.
 */
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
      `The top score is ${below(found.topScore, policy.min_evidence_score)}; the policy asks for at least ${policy.min_evidence_score} ` +
        '(min_evidence_score). Change it with PUT /policy.',
    );
  }
  return reasons;
}

/** Reasons why sources of the search have no results, whatever their content. */
export interface LeftOut {
  /** Sources past the staleness budget that `include_stale: false` left out. */
  readonly stale: number;
  /** Sources whose type has priority 0 in the policy. */
  readonly withoutPriority: number;
  /** Sentences on sources whose content is missing. */
  readonly missingContent: readonly string[];
}

/** Returns the answer if the policy rejects the evidence. */
export function refused(
  query: string,
  sourcesSearched: number,
  reasons: readonly string[],
  left: LeftOut,
): NoEvidence {
  return {
    message: 'The evidence found does not meet the trust policy.',
    query,
    sources_searched: sourcesSearched,
    suggestions: [...reasons, ...whatWasLeftOut(sourcesSearched, left)],
  };
}

/** Returns the answer if nothing relevant was found. */
export function nothingFound(query: string, sourcesSearched: number, left: LeftOut): NoEvidence {
  const suggestions =
    sourcesSearched === 0
      ? [
          ...left.missingContent,
          'No synced source was searched: add a source with POST /sources and sync it, or widen the filters.',
        ]
      : [
          ...whatWasLeftOut(sourcesSearched, left),
          'Try other words, or names as they stand in the code.',
          'Widen the filters, or sync more sources.',
        ];
  return {
    message: 'No relevant evidence was found.',
    query,
    sources_searched: sourcesSearched,
    suggestions,
  };
}

function whatWasLeftOut(
  searched: number,
  { stale, withoutPriority, missingContent }: LeftOut,
): string[] {
  const hints: string[] = [...missingContent];
  if (stale > 0) {
    hints.push(
      `Left out as stale: ${stale} of ${searched} sources. Sync them, search with include_stale true, or change ` +
        'staleness_budget_seconds with PUT /policy.',
    );
  }
  if (withoutPriority > 0) {
    hints.push(
      `Left out by priority 0: ${withoutPriority} of ${searched} sources. Change source_priorities with PUT /policy.`,
    );
  }
  return hints;
}

/**
 * Returns a score under a threshold with two decimals, or as many as show it under it: 0.298
 * against 0.3 is not 0.30.
 */
function below(score: number, threshold: number): string {
  for (let digits = 2; digits <= MAX_DIGITS; digits++) {
    const shown = score.toFixed(digits);
    if (Number(shown) < threshold) return shown;
  }
  return String(score);
}
