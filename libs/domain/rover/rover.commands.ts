import type { RoverEvent } from '#contracts';

type DataOf<Type extends RoverEvent['type']> = Extract<RoverEvent, { readonly type: Type }>['data'];

/** Opens a job. */
export interface RequestRoverJob {
  readonly type: 'RequestRoverJob';
  readonly data: DataOf<'RoverJobRequested'>;
}

/**
 * Takes the lease of a job for a step. A step that another worker started before is continued with
 * the next attempt.
 */
export interface StartRoverStep {
  readonly type: 'StartRoverStep';
  readonly data: Omit<DataOf<'RoverStepStarted'>, 'rover_job_id' | 'attempt'>;
}

/** The attempt that a worker's command is about; commands of an earlier attempt are rejected. */
interface OfAttempt {
  readonly step_id: string;
  readonly attempt: number;
}

/** Renews the lease. */
export interface ReportRoverStep {
  readonly type: 'ReportRoverStep';
  readonly data: Omit<DataOf<'RoverStepProgressed'>, 'rover_job_id'>;
}

/** Releases the lease of a worker that stops. */
export interface ReleaseRoverLease {
  readonly type: 'ReleaseRoverLease';
  readonly data: Omit<DataOf<'RoverLeaseReleased'>, 'rover_job_id'>;
}

/** Attaches a repository at a commit; a second time it changes nothing. */
export interface AttachRepository {
  readonly type: 'AttachRepository';
  readonly data: Omit<DataOf<'RoverRepositoryAttached'>, 'rover_job_id'> & OfAttempt;
}

export interface CompleteRoverStep {
  readonly type: 'CompleteRoverStep';
  readonly data: Omit<DataOf<'RoverStepCompleted'>, 'rover_job_id'>;
}

/** Stores the next part of the tokens of the answer. A part that is stored changes nothing. */
export interface WriteRoverTokens {
  readonly type: 'WriteRoverTokens';
  readonly data: { readonly part: number; readonly sealed: string } & OfAttempt;
}

/** Ends the step `write` and the job. */
export interface CompleteRoverJob {
  readonly type: 'CompleteRoverJob';
  readonly data: {
    readonly step: CompleteRoverStep['data'];
    /** Sealed parts of the answer; none where the key was destroyed. */
    readonly answer: readonly string[];
    readonly completed_at: string;
  };
}

export interface FailRoverJob {
  readonly type: 'FailRoverJob';
  readonly data: Omit<DataOf<'RoverJobFailed'>, 'rover_job_id'>;
}

export interface CancelRoverJob {
  readonly type: 'CancelRoverJob';
  readonly data: Omit<DataOf<'RoverJobCancelled'>, 'rover_job_id'>;
}

export type RoverCommand =
  | RequestRoverJob
  | StartRoverStep
  | ReportRoverStep
  | ReleaseRoverLease
  | AttachRepository
  | CompleteRoverStep
  | WriteRoverTokens
  | CompleteRoverJob
  | FailRoverJob
  | CancelRoverJob;
