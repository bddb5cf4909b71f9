import type { Receipt } from '#contracts';
import { RANKING_VERSION } from '#retrieval';

/** Causes of a difference between a receipt and its replay. */
export const REPLAY_DIFFERENCES = ['ranking_version', 'query_vector'] as const;
export type ReplayDifference = (typeof REPLAY_DIFFERENCES)[number];

/**
 * Returns the cause of a difference. Content, policy and clock are those of the receipt, so only
 * another ranking or another vector of a remote model remains.
 */
export function replayDifference({
  ranking_version,
}: Pick<Receipt, 'ranking_version'>): ReplayDifference {
  return ranking_version === RANKING_VERSION ? 'query_vector' : 'ranking_version';
}
