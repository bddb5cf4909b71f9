import { createHash } from 'node:crypto';

import { isFootnoteError, isStageFailure, StageFailure } from '#contracts';
import { isInvalidEvent } from '#event-store';
import { backOffMs, isStorageFull } from '#platform';

import type { WorkerStage } from '../stages/stage.types.js';

/**
 * Returns the failure that a job reports for an error. A full store or an unavailable engine may
 * pass. So may any unexpected error; its message, which may hold paths or content, stays in the
 * log. An event that the event log rejects would be rejected again; that message names types and
 * fields alone.
 */
export function asStageFailure(error: unknown, stage: WorkerStage): StageFailure {
  if (isStageFailure(error)) return error;
  if (isFootnoteError(error, 'storage_full') || isFootnoteError(error, 'engine_unavailable')) {
    return new StageFailure(error.message, true, null, { cause: error });
  }
  if (isStorageFull(error)) {
    return new StageFailure('The service has no room left on its disk', true, null, {
      cause: error,
    });
  }
  if (isInvalidEvent(error)) {
    const message = `What stage ${stage} found is refused by the event log: ${error.message}`;
    return new StageFailure(message, false, null, { cause: error });
  }
  return new StageFailure(`Stage ${stage} failed by an internal error`, true, null, {
    cause: error,
  });
}

/** The log is away or full: what it did not take now it may take later. */
export function isLogUnavailable(error: unknown): boolean {
  return isFootnoteError(error, 'engine_unavailable') || isFootnoteError(error, 'storage_full');
}

const DELAYS = { firstMs: 1_000, longestMs: 60_000, factor: 4, jitter: 0.25 };

/**
 * Returns the wait before the next attempt: 1 s, 4 s, 16 s, then 60 s. Each is up to a quarter
 * shorter so that jobs that failed together do not return together. The same seed gives the same
 * wait.
 *
 * @param retry 1 for the first retry.
 */
export function retryDelayMs(retry: number, seed: string): number {
  const share = createHash('sha256').update(seed).digest().readUInt32LE(0) / 2 ** 32;
  return Math.round(backOffMs(DELAYS, retry, () => share));
}
