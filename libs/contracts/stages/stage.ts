/** The pipeline's stages in order. `queued` is where a job waits before `fetch`. */
export const STAGES = ['fetch', 'parse', 'chunk', 'embed', 'index', 'finalize'] as const;
export type Stage = (typeof STAGES)[number];

/** The stages that a job shows. */
export const JOB_STAGES = ['queued', ...STAGES] as const;
export type JobStage = (typeof JOB_STAGES)[number];

/**
 * The state of an attempt at a stage. `lost`: its worker stopped or sent no more reports, and the
 * stage was due again.
 */
export const ATTEMPT_OUTCOMES = ['running', 'completed', 'failed', 'lost', 'cancelled'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One attempt at one stage of a job. */
export interface StageAttempt {
  readonly stage: Stage;
  /** Counted over the whole job. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly started_at: string;
  /** Null while it runs. */
  readonly ended_at: string | null;
  readonly outcome: AttemptOutcome;
}

/**
 * The progress at which a stage begins; it moves up to the next stage's number while the stage
 * works.
 */
export const STAGE_PROGRESS: Readonly<Record<JobStage, number>> = Object.freeze({
  queued: 0,
  fetch: 10,
  parse: 25,
  chunk: 40,
  embed: 60,
  index: 80,
  finalize: 95,
});

/** The stage after `stage`, or null after the last one. */
export function nextStage(stage: Stage): Stage | null {
  return STAGES[STAGES.indexOf(stage) + 1] ?? null;
}

/** Progress in percent of a stage of which `fraction` (0–1) is done. */
export function progressWithin(stage: Stage, fraction: number): number {
  const from = STAGE_PROGRESS[stage];
  const following = nextStage(stage);
  const to = following ? STAGE_PROGRESS[following] : 100;
  return Math.floor(from + (to - from) * Math.min(1, Math.max(0, fraction)));
}

/**
 * Requests that a worker carries out one attempt of one stage. The job's stream is the truth; a
 * stale message is dropped.
 */
export interface StageMessage {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly job_id: string;
  readonly stage: Stage;
  /** 1 for the first attempt of the job's work; each retry or loss adds one. */
  readonly attempt: number;
  /** Correlation id of the request that asked for the sync. */
  readonly correlation_id: string;
  /** Id of the event that caused this message. */
  readonly causation_id: string;
}
