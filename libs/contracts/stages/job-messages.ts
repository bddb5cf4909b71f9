import type { Stage } from './stage.js';

/**
 * Messages of a job, in lists and streams alike, where its worker reports nothing more specific.
 */
export const JOB_MESSAGES = Object.freeze({
  queued: 'Waiting to be processed',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
});

/** Messages of a running stage before its worker reports more. */
export const STAGE_MESSAGES: Readonly<Record<Stage, string>> = Object.freeze({
  fetch: 'Fetching the source',
  parse: 'Parsing documents',
  chunk: 'Cutting documents into chunks',
  embed: 'Embedding chunks',
  index: 'Writing the index',
  finalize: 'Publishing',
});

/**
 * Returns the message of a completed job: where no file was read or none was indexed, also why.
 *
 * @param counted the counters of all its stages.
 * @param fileCount files that the source has now.
 */
export function completedMessage(
  counted: Readonly<Record<string, number>>,
  fileCount: number,
): string {
  const { files_fetched, files_parsed } = counted;
  if (files_fetched !== 0 && files_parsed !== 0) return JOB_MESSAGES.completed;
  const what = files_fetched === 0 ? 'no file was read' : 'no file was indexed';
  const reasons = [
    clause(counted['files_unchanged'], 'unchanged since the last sync'),
    clause(counted['files_not_selected'], "left out by the source's patterns"),
    clause(counted['files_skipped'], `skipped${skipReasons(counted)}`),
  ].filter((reason) => reason !== null);
  const otherwise =
    fileCount === 0 ? 'the source has none' : 'nothing has changed since the last sync';
  return `${JOB_MESSAGES.completed}; ${what}: ${reasons.length === 0 ? otherwise : reasons.join(', ')}`;
}

function clause(count: number | undefined, what: string): string | null {
  return count === undefined || count === 0 ? null : `${count} ${what}`;
}

/** ` (2 binary, 1 too large)` */
function skipReasons(counted: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counted).flatMap(([name, count]) => {
    const [, reason] = /^files_skipped_(.+)$/.exec(name) ?? [];
    return reason === undefined || count === 0 ? [] : [`${count} ${reason.replaceAll('_', ' ')}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

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
