import { nextStage, type StageMessage } from '#contracts';
import { isOpen, type JobCommand } from '#domain';
import type { EventStore } from '#event-store';
import { uuidv5 } from '#platform';
import type { QueueDelivery } from '#queue';

import { commandJob } from '../log/commands.js';
import { isWorkerStage, type StageOutcome, type WorkerStage } from '../stages/stage.types.js';
import { ActiveRuns, AttemptEnded } from './active-runs.js';
import { StageAttempt, type StageAttemptDependencies } from './stage-attempt.js';
import { readStageMessage } from './stage-message.js';
import { StageRun } from './stage-run.js';

export interface StageWorkerDependencies extends StageAttemptDependencies {
  readonly store: EventStore;
  readonly runs: ActiveRuns;
  /** Unique to this process; part of every execution's id. */
  readonly processId: string;
  /**
   * Whether a stage takes no longer than what it works on is large: not one that waits for somebody
   * else's service.
   */
  isPrompt(stage: WorkerStage): boolean;
}

/**
 * Less than this, in bytes, and the next stage is done before a message for it would have come
 * around.
 */
const SMALL_BYTES = 256 * 1024;

/**
 * Carries out attempts of one stage: takes the lease, works, appends how it ended. What a stage has
 * left little of for the next it goes on with itself, under a lease that is taken in the same
 * append: a small sync costs no message and no append more for each of its stages. A message whose
 * attempt is not due (stale, a duplicate, of an ended job) changes nothing. Resolving acknowledges
 * the message; the worker only rejects when the log cannot be reached or the process stops.
 */
export class StageWorker {
  private executions = 0;

  constructor(
    private readonly stage: WorkerStage,
    private readonly dependencies: StageWorkerDependencies,
  ) {}

  async handle({ message: { body }, signal }: QueueDelivery): Promise<void> {
    const message = readStageMessage(body);
    if (message.stage !== this.stage)
      throw new Error(`A message of stage ${message.stage} came to ${this.stage}`);
    if (!(await this.belongsToTenant(message)))
      throw new Error('The message names another tenant than its job');
    const controller = new AbortController();
    let run = await this.start(message, controller);
    if (!run) return;
    const leave = this.dependencies.runs.enter(
      message,
      controller,
      this.dependencies.clock.now().getTime(),
    );
    try {
      for (;;) {
        const next = await this.carryOut(message, run, controller, signal);
        if (!next) break;
        run = next;
      }
    } catch (error) {
      if (!(error instanceof AttemptEnded)) throw error;
      this.dependencies.logger.info(
        { job_id: message.job_id, stage: run.stage, reason: error.message },
        'Attempt ended',
      );
    } finally {
      leave();
      await run.stop();
    }
  }

  private async belongsToTenant({ job_id, tenant_id }: StageMessage): Promise<boolean> {
    for await (const first of this.dependencies.store.read(`job-${job_id}`, { limit: 1 })) {
      return first.metadata.tenant_id === tenant_id;
    }
    return false;
  }

  /** Takes the lease. Null when the attempt is not due. */
  private async start(
    message: StageMessage,
    controller: AbortController,
  ): Promise<StageRun | null> {
    const { store, clock, logger, config } = this.dependencies;
    const { job_id, stage, attempt } = message;
    const executionId = this.nextExecution(message, this.stage);
    const command: JobCommand = {
      type: 'StartStage',
      data: { stage, attempt, worker: executionId },
    };
    const cause = causeOf(message);
    const result = await commandJob(this.dependencies, job_id, executionId, command, cause);
    if (!result.appended || !isOpen(result.state) || result.revision === 'none') return null;
    const taken = { job: result.state, revision: result.revision, executionId, cause, controller };
    return new StageRun({
      store,
      clock,
      logger,
      stage: this.stage,
      leaseMs: config.jobs.leaseSeconds * 1_000,
      ...taken,
    });
  }

  private nextExecution({ job_id, attempt }: StageMessage, stage: WorkerStage): string {
    this.executions += 1;
    const { processId } = this.dependencies;
    return uuidv5('execution', job_id, stage, String(attempt), processId, String(this.executions));
  }

  /** @returns the run that this worker goes on with; null when it has done its part. */
  private async carryOut(
    sent: StageMessage,
    run: StageRun,
    controller: AbortController,
    taken: AbortSignal,
  ): Promise<StageRun | null> {
    const message = { ...sent, stage: run.stage, attempt: run.state.attempt };
    const attempt = new StageAttempt(message, run, controller, taken, this.dependencies);
    const outcome = await attempt.work();
    if (!outcome) return null;
    const next = this.goesOn(outcome, run.stage) ? nextStage(run.stage) : null;
    return attempt.end(outcome, async (command) => {
      if (next && isWorkerStage(next))
        return run.goOn(command, next, this.nextExecution(message, next));
      await run.write(command);
      return null;
    });
  }

  private goesOn(outcome: StageOutcome, stage: WorkerStage): boolean {
    const next = nextStage(stage);
    if (outcome.kind !== 'advanced' || next === null || !isWorkerStage(next)) return false;
    const isSmall = outcome.bytes !== undefined && outcome.bytes < SMALL_BYTES;
    return isSmall && this.dependencies.isPrompt(next) && !this.dependencies.stopping.aborted;
  }
}

function causeOf(message: StageMessage) {
  return {
    tenantId: message.tenant_id,
    correlationId: message.correlation_id,
    causationId: message.causation_id,
  };
}
