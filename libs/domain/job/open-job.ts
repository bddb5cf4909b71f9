import { statedAudience } from '#contracts';

import type { RegisteredSource, RemovedSource } from '../source/source.decider.js';
import type { RequestJob } from './job.commands.js';
import { baseOf, nextGeneration } from './job.queries.js';
import type { JobState } from './job.state.js';

/** An accepted sync. */
export interface AcceptedSync {
  /** The source as it was when the sync was accepted; its last job is the one to open. */
  readonly source: RegisteredSource | RemovedSource;
  /** The URL of the source without secrets. */
  readonly shownUrl: string;
  /** The job `previous_job_id` of the source; absent if it has none. */
  readonly lastJob: JobState;
  readonly maxRetries: number;
}

/**
 * Returns the command that opens the job of an accepted sync. It is the same in the process that
 * accepted the sync and in the dispatcher that repairs a missing job. The id of the job is the
 * command id, so both together open the job once.
 */
export function openJob({ source, shownUrl, lastJob, maxRetries }: AcceptedSync): RequestJob {
  if (source.last_job_id === null) throw new Error('The source has no accepted sync');
  if (source.definition_revision === undefined)
    throw new Error('The source was folded without revisions');
  return {
    type: 'RequestJob',
    data: {
      job_id: source.last_job_id,
      source_id: source.source_id,
      url: shownUrl,
      source_revision: Number(source.definition_revision),
      generation: nextGeneration(lastJob),
      base: baseOf(lastJob),
      max_retries: maxRetries,
      ...statedAudience(source.audience),
    },
  };
}
