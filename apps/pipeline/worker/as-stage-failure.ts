import { StageFailure, isFootnoteError, isStageFailure } from '#contracts';

import type { WorkerStage } from '../stages/stage.types.js';

/**
 * What a job says about an error. A full store or an engine that is away may pass; so may anything unexpected, and its
 * message, which may hold paths or content, stays in the log.
 */
export function asStageFailure(error: unknown, stage: WorkerStage): StageFailure {
  if (isStageFailure(error)) return error;
  if (isFootnoteError(error, 'storage_full') || isFootnoteError(error, 'engine_unavailable')) {
    return new StageFailure(error.message, true, null, { cause: error });
  }
  return new StageFailure(`Stage ${stage} failed by an internal error`, true, null, { cause: error });
}
