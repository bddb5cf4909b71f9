import { jobDecider, openJob, type RegisteredSource, type RemovedSource } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import { redactUrls } from '#ingest/redact/redact-urls';
import type { Clock } from '#platform';

import { type Cause, commandJob } from './commands.js';

/**
 * Opens the job of an accepted sync. All writers use the id of the job for the command, so together
 * they open it once.
 * @param source as it was when the sync was accepted.
 */
export async function openSyncJob(
  engines: { readonly store: EventStore; readonly clock: Clock },
  source: RegisteredSource | RemovedSource,
  cause: Cause,
  maxRetries: number,
): Promise<void> {
  const { last_job_id: jobId, previous_job_id: previous, definition } = source;
  if (jobId === null) return;
  const lastJob =
    previous === null
      ? jobDecider.initial
      : (await foldStream(engines.store, jobDecider, `job-${previous}`)).state;
  const shownUrl = redactUrls(definition.url);
  const command = openJob({ source, shownUrl, lastJob, maxRetries });
  await commandJob(engines, jobId, jobId, command, cause);
}
