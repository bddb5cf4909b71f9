import { NO_ROVER_USAGE, type RoverPlanned, type RoverStepKind, type RoverUsage } from '#contracts';
import { RoverLeaseLost, type RoverStep } from '#domain';
import { type Clock, type Logger, uuidv5 } from '#platform';

import type { RoverLease } from './rover-lease.js';
import { RoverJobFailure, StepFailed } from './step-failure.js';
import type { StepOutputs } from './step-outputs.js';

/** Attempts at one step; a step that ends its process every time must not do so forever. */
const MOST_ATTEMPTS = 6;

/** The place of a step in its job. */
export interface StepPlace {
  readonly kind: RoverStepKind;
  readonly round: number;
  readonly ordinal: number;
  readonly repo?: string;
}

/** The running attempt at a step. */
export interface StepAttempt {
  readonly stepId: string;
  readonly attempt: number;
}

/** The result of a step. */
export interface StepResult<Output> {
  readonly output: Output;
  readonly details?: Readonly<Record<string, number>>;
  readonly usage?: Partial<RoverUsage>;
  /** The planner of the step, if a model is configured. */
  readonly planned?: RoverPlanned | undefined;
}

export interface StepRunnerDependencies {
  readonly lease: RoverLease;
  readonly outputs: StepOutputs;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly worker: string;
  readonly signal: AbortSignal;
}

/**
 * Runs the steps of a job, each once. A step whose end is stored is not run again: its stored
 * output is returned. So a job that another worker continues takes the same way, and at most the
 * step in hand is repeated.
 */
export class StepRunner {
  constructor(private readonly dependencies: StepRunnerDependencies) {}

  /**
   * Returns the output of a step; null if the budget of the job ended before it, or if the step
   * failed without an output.
   */
  async run<Output>(
    place: StepPlace,
    work: (attempt: StepAttempt) => Promise<StepResult<Output>>,
  ): Promise<Output | null> {
    const { lease, outputs } = this.dependencies;
    const stepId = stepIdOf(lease.job.rover_job_id, place);
    const known = lease.job.steps.find(({ step_id }) => step_id === stepId);
    if (known && known.status !== 'running')
      return known.output === null ? null : ((await outputs.get(stepId, known.output)) as Output);
    if (!known && this.isOverBudget && place.kind !== 'write') return null;
    const attempt = await this.start(stepId, place);
    const result = await this.attempt(attempt, known, work);
    const { reason, output, details = {}, usage = {}, planned } = result;
    await lease.write({
      type: 'CompleteRoverStep',
      data: {
        step_id: stepId,
        attempt: attempt.attempt,
        outcome: reason === undefined ? 'completed' : 'failed',
        ...(reason === undefined ? {} : { reason }),
        output: output === undefined ? null : await outputs.put(stepId, output),
        details,
        usage: { ...NO_ROVER_USAGE, ...usage },
        ...(planned && { planned }),
        completed_at: this.now(),
      },
    });
    return output ?? null;
  }

  /** Starts a step, or its next attempt. */
  async start(stepId: string, place: StepPlace): Promise<StepAttempt> {
    const { lease, worker } = this.dependencies;
    const data = { step_id: stepId, ...place, worker, started_at: this.now() };
    await lease.write({ type: 'StartRoverStep', data });
    const step = lease.job.steps.find(({ step_id }) => step_id === stepId);
    if (!step) throw new Error('A started step is not in its job');
    if (step.attempt - step.releases > MOST_ATTEMPTS)
      throw new RoverJobFailure(
        `The step ${place.kind} ended without notice ${MOST_ATTEMPTS} times`,
      );
    return { stepId, attempt: step.attempt };
  }

  /** Milliseconds that the job may still work. */
  get remainingMs(): number {
    const { started_at, budget } = this.dependencies.lease.job;
    if (started_at === null) return budget.seconds * 1_000;
    const elapsed = this.dependencies.clock.now().getTime() - Date.parse(started_at);
    return Math.max(0, budget.seconds * 1_000 - elapsed);
  }

  /** The present time, ISO 8601. */
  now(): string {
    return this.dependencies.clock.now().toISOString();
  }

  private get isOverBudget(): boolean {
    return this.remainingMs === 0;
  }

  private async attempt<Output>(
    attempt: StepAttempt,
    known: RoverStep | undefined,
    work: (attempt: StepAttempt) => Promise<StepResult<Output>>,
  ): Promise<Partial<StepResult<Output>> & { readonly reason?: StepFailed['reason'] }> {
    const { signal, logger, lease } = this.dependencies;
    try {
      signal.throwIfAborted();
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RoverLeaseLost || error instanceof RoverJobFailure) throw error;
      if (error instanceof StepFailed) return { reason: error.reason, ...partOf<Output>(error) };
      logger.error(
        { err: error, rover_job_id: lease.job.rover_job_id, step_id: attempt.stepId },
        `rover: step failed${known ? ' again' : ''}; the job goes on without its output`,
      );
      return { reason: 'internal' };
    }
  }
}

/** Returns the output of a failed step, if it has one. */
function partOf<Output>({ output }: StepFailed): { readonly output?: Output } {
  return output === undefined ? {} : { output: output as Output };
}

/** Returns the id of a step, derived from its job and its place. */
export function stepIdOf(roverJobId: string, { kind, round, ordinal }: StepPlace): string {
  return uuidv5('rover-step', roverJobId, String(round), kind, String(ordinal));
}
