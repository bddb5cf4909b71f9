import type {
  RoverBudget,
  RoverMode,
  RoverPlanned,
  RoverStepKind,
  RoverStepReason,
  RoverStepStatus,
  RoverUsage,
} from '#contracts';

/** Place of the stored output of a step. */
export type StepOutput =
  { readonly sealed: string[] } | { readonly blob: string; readonly bytes: number };

/** One step of a job, by its newest attempt. */
export interface RoverStep {
  readonly step_id: string;
  readonly kind: RoverStepKind;
  readonly round: number;
  readonly ordinal: number;
  readonly repo: string | null;
  readonly status: RoverStepStatus;
  readonly reason: RoverStepReason | null;
  readonly attempt: number;
  /** Attempts whose workers stopped in order, so that they count as no death. */
  readonly releases: number;
  readonly worker: string;
  /** Start of the first attempt, ISO 8601. */
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly details: Readonly<Record<string, number>>;
  readonly output: StepOutput | null;
  /** Null without a model, and for steps that plan nothing. */
  readonly planned: RoverPlanned | null;
}

/** A repository that the searches of a job see. */
export interface AttachedRepository {
  readonly repo: string;
  readonly commit: string;
  readonly source_id: string;
  readonly origin: 'temporary' | 'tenant';
}

/** The facts of a job, ended or not. */
export interface RoverJob {
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly rover_job_id: string;
  readonly question: readonly string[];
  readonly mode: RoverMode;
  readonly repos: readonly string[];
  readonly budget: RoverBudget;
  /** Null if nothing was charged. */
  readonly consumption_id: string | null;
  readonly requested_at: string;
  /** Null while no step started. */
  readonly started_at: string | null;
  /** Null while the job is open. */
  readonly ended_at: string | null;
  /** True after the last worker released its lease. */
  readonly is_released: boolean;
  /** In the order of their first start. */
  readonly steps: readonly RoverStep[];
  readonly attached: readonly AttachedRepository[];
  readonly usage: RoverUsage;
  /** Written parts of the answer's tokens. */
  readonly token_parts: number;
  readonly error_message: string | null;
}

/** A job without a final status. */
export type OpenRoverJob = RoverJob & { readonly status: 'pending' | 'running' };

export type RoverState = { readonly status: 'absent' } | RoverJob;

/** Returns true until the job has a final status. */
export function isOpenRoverJob(state: RoverState): state is OpenRoverJob {
  return state.status === 'pending' || state.status === 'running';
}

/** Returns the step that a worker is at; undefined between two steps. */
export function runningStep({ steps }: Pick<RoverJob, 'steps'>): RoverStep | undefined {
  return steps.find(({ status }) => status === 'running');
}
