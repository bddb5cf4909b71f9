import { z } from 'zod';

import { audienceSchema } from '../content/audience.js';
import { sourceDefinitionSchema } from '../content/source-definition.js';
import { blobHash, count, errorDetails, id, instant, stageDetails } from '../fields.js';
import { STAGES } from '../stages/stage.js';
import { defineEvent, type EventOf } from './define-event.js';

const stage = z.enum(STAGES);
const attempt = z.number().int().positive();

/** Document and chunk counters of a job; absent ones are unchanged. */
const counters = z.object({
  files_processed: count.optional(),
  chunks_created: count.optional(),
  chunks_updated: count.optional(),
  chunks_deleted: count.optional(),
});

const jobRequestedData = z.object({
  job_id: id,
  source_id: id,
  /** URL that the sync reads from, without secrets. */
  url: z.string(),
  /**
   * Revision of the newest event of the source that the sync takes into account; absent in
   * version 1.
   */
  source_revision: count.optional(),
  /** Only of version 1. */
  definition: sourceDefinitionSchema.optional(),
  /** Number of the generation this job stages if it finds something new. */
  generation: z.number().int().positive(),
  base: z
    .object({
      generation: z.number().int().positive(),
      manifest: blobHash,
      version_ref: z.string(),
    })
    .nullable(),
  max_retries: count,
  /** The source's audience: readers that may not find the source do not see its job either. */
  audience: audienceSchema.optional(),
  /** Only of version 1: the source's as the sync was accepted, sealed. */
  credentials: z.string().min(1).optional(),
});

/**
 * Stream `job-<id>`: first event. `base` is the live generation that the sync starts from.
 * Definition and credentials are those of the source's stream up to `source_revision`: each sync
 * would copy up to 64 KiB otherwise. Version 1 copied them.
 */
export const jobRequested = defineEvent('JobRequested', 2, jobRequestedData, {
  from: {
    1: (data) => ({ ...data, url: (data['definition'] as { readonly url: string }).url }),
  },
  past: {
    1: jobRequestedData.omit({ url: true, source_revision: true }).required({ definition: true }),
  },
});

/** Takes the lease of one attempt of one stage. Only the dispatcher's word makes an attempt due. */
export const jobStageStarted = defineEvent(
  'JobStageStarted',
  1,
  z.object({ job_id: id, stage, attempt, worker: z.string() }),
);

/** Renews the lease and reports the progress of the stage. */
export const jobProgressed = defineEvent(
  'JobProgressed',
  1,
  z.object({
    job_id: id,
    stage,
    attempt,
    progress_percent: z.number().int().min(0).max(100),
    progress_message: z.string(),
    stage_details: stageDetails,
    ...counters.shape,
  }),
);

/**
 * A stage is done; `artifact` names what it left in the blob store and `next` is the stage that is
 * now due.
 */
export const jobStageAdvanced = defineEvent(
  'JobStageAdvanced',
  1,
  z.object({
    job_id: id,
    stage,
    attempt,
    next: stage,
    artifact: blobHash,
    version_ref: z.string().optional(),
    stage_details: stageDetails,
    ...counters.shape,
  }),
);

/**
 * An attempt failed. With `retry_at` another attempt is due then; without, a terminal event follows
 * in the same append.
 */
export const jobStageFailed = defineEvent(
  'JobStageFailed',
  1,
  z.object({
    job_id: id,
    stage,
    attempt,
    error_message: z.string(),
    error_details: errorDetails.nullable(),
    retryable: z.boolean(),
    retry_count: count,
    retry_at: instant.nullable(),
    /** Stage of the next attempt; absent where it is the same. */
    next: stage.optional(),
  }),
);

const jobStageLostData = z.object({
  job_id: id,
  stage,
  attempt,
  retry_count: count,
  /**
   * Number of workers of the job that were lost without giving their lease back, this one
   * included.
   */
  deaths: count,
});

/**
 * The supervisor saw no new revision for the lease's length, or the process gave the lease back
 * because it stops. The stage is due again at once under the next attempt, unless a terminal event
 * follows in the same append.
 */
export const jobStageLost = defineEvent(
  'JobStageLost',
  2,
  jobStageLostData,
  // Version 1 does not say who gave a lease back, so none of its losses counts.
  {
    from: { 1: (data) => ({ ...data, deaths: 0 }) },
    past: { 1: jobStageLostData.omit({ deaths: true }) },
  },
);

const jobStagedData = z.object({
  job_id: id,
  source_id: id,
  attempt,
  generation: z.number().int().positive(),
  manifest: blobHash,
  version_ref: z.string(),
  file_count: count,
  chunk_count: count,
  /**
   * Bytes of its content: packs, and what stays on disk between syncs. Absent where it was not
   * measured.
   */
  bytes: count.optional(),
  stage_details: stageDetails,
  ...counters.shape,
});

/**
 * The index stage wrote pack and manifest; the index projection loads them. Nothing is visible yet.
 */
export const jobStaged = defineEvent(
  'JobStaged',
  2,
  jobStagedData,
  // Version 1 had no bytes.
  { from: { 1: (data) => data }, past: { 1: jobStagedData.omit({ bytes: true }) } },
);

const jobCompletedData = z.object({
  job_id: id,
  source_id: id,
  generation: z.number().int().positive(),
  manifest: blobHash,
  version_ref: z.string(),
  /**
   * The URL of that version; the source's URL may have changed since. Absent in events of
   * versions that did not record it.
   */
  url: z.string().optional(),
  file_count: count,
  chunk_count: count,
  /** As in JobStaged; absent where it was not measured: what was measured before holds. */
  bytes: count.optional(),
  files_processed: count,
  chunks_created: count,
  chunks_updated: count,
  chunks_deleted: count,
  /** Counters of a fetch that found nothing new; otherwise the stages' own events have them. */
  stage_details: stageDetails.optional(),
});

/**
 * Publishes: from here on searches see `generation`. A sync that found nothing new names the base's
 * generation and manifest again, with the new version_ref; its freshness is renewed all the same.
 */
export const jobCompleted = defineEvent(
  'JobCompleted',
  2,
  jobCompletedData,
  // Version 1 had no bytes.
  { from: { 1: (data) => data }, past: { 1: jobCompletedData.omit({ bytes: true }) } },
);

export const jobFailed = defineEvent(
  'JobFailed',
  1,
  z.object({
    job_id: id,
    source_id: id,
    error_message: z.string(),
    error_details: errorDetails.nullable(),
  }),
);

export const jobCancelled = defineEvent('JobCancelled', 1, z.object({ job_id: id, source_id: id }));

export const jobEvents = [
  jobRequested,
  jobStageStarted,
  jobProgressed,
  jobStageAdvanced,
  jobStageFailed,
  jobStageLost,
  jobStaged,
  jobCompleted,
  jobFailed,
  jobCancelled,
] as const;
export type JobEvent = EventOf<(typeof jobEvents)[number]>;

/** Every type of the stream `job-<id>`. */
export const JOB_EVENT_TYPES: readonly JobEvent['type'][] = jobEvents.map(({ type }) => type);
