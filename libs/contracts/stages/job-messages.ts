import type { Stage } from './stage.js';

/** What a job says of itself, in lists and streams alike, where its worker has nothing more telling. */
export const JOB_MESSAGES = Object.freeze({
  queued: 'Waiting to be processed',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
});

/** What a running stage says before its worker has more to tell. */
export const STAGE_MESSAGES: Readonly<Record<Stage, string>> = Object.freeze({
  fetch: 'Fetching the source',
  parse: 'Parsing documents',
  chunk: 'Cutting documents into chunks',
  embed: 'Embedding chunks',
  index: 'Writing the index',
  finalize: 'Publishing',
});

export function stageDoneMessage(stage: Stage): string {
  return `Stage ${stage} is done`;
}

export function stageLostMessage(stage: Stage): string {
  return `The worker of stage ${stage} was lost; the stage is taken up again`;
}

/** A failure that is tried again says when; one that is not is the job's last word. */
export function stageFailedMessage(failure: {
  readonly stage: Stage;
  readonly error_message: string;
  readonly retry_at: string | null;
}): string {
  if (failure.retry_at === null) return failure.error_message;
  return `Stage ${failure.stage} failed: ${failure.error_message}. It is tried again at ${failure.retry_at}`;
}
