import type { Confidence, EvidenceQuality } from '#contracts';

/** Shares of the score: for the top result, for a full list, and for a fresh list. */
const TOP_SHARE = 0.7;
const COUNT_SHARE = 0.15;
const FRESH_SHARE = 0.15;

const HIGH = 0.7;
const MEDIUM = 0.45;

/** Data about the returned results. */
export interface EvidenceInput {
  readonly results: readonly {
    readonly score: number;
    readonly freshness_days: number;
    readonly is_stale: boolean;
  }[];
  /** Number of requested results. */
  readonly topK: number;
  readonly hasConflicts: boolean;
}

/**
 * Rates the evidence as a whole. A further result, a fresher one or a better one never lowers the
 * score (docs/evaluation/evidence.md has the formula and its reasons).
 */
export function evidenceQuality({ results, topK, hasConflicts }: EvidenceInput): EvidenceQuality {
  const count = results.length;
  const score = evidenceScore(results, topK);
  return {
    score,
    evidence_count: count,
    avg_freshness_days:
      count === 0
        ? 0
        : results.reduce((sum, { freshness_days }) => sum + freshness_days, 0) / count,
    has_conflicts: hasConflicts,
    confidence: confidenceOf(score, count),
  };
}

function evidenceScore(results: EvidenceInput['results'], topK: number): number {
  if (results.length === 0) return 0;
  const top = Math.min(1, Math.max(...results.map(({ score }) => score)));
  const fresh = results.filter(({ is_stale }) => !is_stale).length;
  const share = (count: number): number => Math.min(1, count / Math.max(1, topK));
  return top * (TOP_SHARE + COUNT_SHARE * share(results.length) + FRESH_SHARE * share(fresh));
}

function confidenceOf(score: number, count: number): Confidence {
  if (count === 0) return 'insufficient';
  if (score >= HIGH) return 'high';
  return score >= MEDIUM ? 'medium' : 'low';
}
