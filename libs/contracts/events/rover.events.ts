import { z } from 'zod';

import { blobHash, count, id, instant, sealedText, stageDetails } from '../fields.js';
import {
  ROVER_MODES,
  ROVER_STEP_KINDS,
  ROVER_STEP_REASONS,
  roverBudgetSchema,
  roverPlannedSchema,
  roverUsageSchema,
} from '../rover/rover-job.js';
import { defineEvent, type EventOf } from './define-event.js';

/** `owner/repo`. */
const repository = z.string().max(140);
const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const attempt = z.number().int().positive();

/** Parts of one sealed text. */
const sealedParts = z.array(sealedText).max(4);

/** Stream `rover-<id>`: first event. The question is sealed with the tenant's key. */
export const roverJobRequested = defineEvent(
  'RoverJobRequested',
  1,
  z.object({
    rover_job_id: id,
    /** Empty where the key was destroyed before. */
    question: sealedParts,
    mode: z.enum(ROVER_MODES),
    /** Repositories that the request names; empty if the job chooses them. */
    repos: z.array(repository).max(10),
    budget: roverBudgetSchema,
    /** The charge for the job, which a failed job returns; absent if nothing was charged. */
    consumption_id: id.optional(),
    requested_at: instant,
  }),
);

/** The first worker took the job, and its time counts. In the append of its first step. */
export const roverJobStarted = defineEvent(
  'RoverJobStarted',
  1,
  z.object({ rover_job_id: id, started_at: instant }),
);

/** A worker took the lease of the job for one step. */
export const roverStepStarted = defineEvent(
  'RoverStepStarted',
  1,
  z.object({
    rover_job_id: id,
    /** Derived from job, round, kind and ordinal. */
    step_id: id,
    kind: z.enum(ROVER_STEP_KINDS),
    round: count,
    /** Place among the steps of its kind in the round, from 0. */
    ordinal: count,
    /** Repository of the step, if it has one. */
    repo: repository.optional(),
    attempt,
    /** The process that took the lease. */
    worker: id,
    started_at: instant,
  }),
);

/** Renews the lease of a step that takes long, and has its counters. */
export const roverStepProgressed = defineEvent(
  'RoverStepProgressed',
  1,
  z.object({ rover_job_id: id, step_id: id, attempt, details: stageDetails }),
);

/** A worker that stops released its lease, so that another one continues the job at once. */
export const roverLeaseReleased = defineEvent(
  'RoverLeaseReleased',
  1,
  z.object({
    rover_job_id: id,
    /** The process that had the lease. */
    worker: id,
  }),
);

/** A repository at a commit belongs to the job from here on; its searches see that source. */
export const roverRepositoryAttached = defineEvent(
  'RoverRepositoryAttached',
  1,
  z.object({
    rover_job_id: id,
    step_id: id,
    repo: repository,
    commit,
    source_id: id,
    /** `tenant`: the tenant's own source, live at that commit. */
    origin: z.enum(['temporary', 'tenant']),
  }),
);

/**
 * The end of a step. Its output is stored before any other step uses it: here, sealed, or beyond
 * 8 KiB as an encrypted blob.
 */
export const roverStepCompleted = defineEvent(
  'RoverStepCompleted',
  1,
  z.object({
    rover_job_id: id,
    step_id: id,
    attempt,
    outcome: z.enum(['completed', 'failed']),
    /** Absent for a completed step. */
    reason: z.enum(ROVER_STEP_REASONS).optional(),
    output: z
      .union([z.object({ sealed: sealedParts }), z.object({ blob: blobHash, bytes: count })])
      .nullable(),
    details: stageDetails,
    usage: roverUsageSchema,
    /** Absent without a model, and for steps that plan nothing. */
    planned: roverPlannedSchema.optional(),
    completed_at: instant,
  }),
);

/** The next part of the answer as it is written; at most two a second. */
export const roverTokensWritten = defineEvent(
  'RoverTokensWritten',
  1,
  z.object({ rover_job_id: id, part: count, sealed: sealedText }),
);

/**
 * The job ended with an answer. The answer with its citations is sealed in parts that follow in the
 * same append.
 */
export const roverJobCompleted = defineEvent(
  'RoverJobCompleted',
  1,
  z.object({
    rover_job_id: id,
    /** First part; null where the key was destroyed before. */
    answer: sealedText.nullable(),
    answer_parts: count,
    completed_at: instant,
  }),
);

/** The next part of the sealed answer. */
export const roverAnswerContinued = defineEvent(
  'RoverAnswerContinued',
  1,
  z.object({ rover_job_id: id, part: count, sealed: sealedText }),
);

export const roverJobFailed = defineEvent(
  'RoverJobFailed',
  1,
  z.object({
    rover_job_id: id,
    /** Without text of the question. */
    error_message: z.string().max(1_000),
    failed_at: instant,
  }),
);

export const roverJobCancelled = defineEvent(
  'RoverJobCancelled',
  1,
  z.object({ rover_job_id: id, cancelled_at: instant }),
);

export const roverEvents = [
  roverJobRequested,
  roverJobStarted,
  roverStepStarted,
  roverStepProgressed,
  roverLeaseReleased,
  roverRepositoryAttached,
  roverStepCompleted,
  roverTokensWritten,
  roverJobCompleted,
  roverAnswerContinued,
  roverJobFailed,
  roverJobCancelled,
] as const;
/** Types of the events of rover jobs. */
export const ROVER_EVENT_TYPES = roverEvents.map(({ type }) => type);

export type RoverEvent = EventOf<(typeof roverEvents)[number]>;
