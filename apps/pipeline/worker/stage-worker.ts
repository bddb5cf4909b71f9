import type { StageMessage } from '#contracts';
import { jobDecider, type JobState } from '#domain';
import { type FoldedStream, foldStream } from '#event-store';
import { uuidv5 } from '#platform';
import type { QueueDelivery } from '#queue';

import type { WorkerStage } from '../stages/stage.types.js';
import { Attempt, type AttemptDependencies } from './attempt.js';
import { readStageMessage } from './stage-message.js';

export interface StageWorkerDependencies extends Omit<AttemptDependencies, 'executionId'> {
  /** Unique to this process; part of the id of every execution. */
  readonly processId: string;
}

/**
 * Takes the messages of one stage and makes an {@link Attempt} of each. A message whose attempt is
 * not due (stale, duplicate, of an ended job) changes nothing. Resolving acknowledges the message;
 * the worker rejects only when the log is unavailable or the process stops.
 */
export class StageWorker {
  private executions = 0;
  private readonly attemptDependencies: AttemptDependencies;

  constructor(
    private readonly stage: WorkerStage,
    private readonly dependencies: StageWorkerDependencies,
  ) {
    const executionId = this.nextExecution.bind(this);
    this.attemptDependencies = { ...dependencies, executionId };
  }

  async handle({ message: { body }, signal }: QueueDelivery): Promise<void> {
    const message = readStageMessage(body);
    if (message.stage !== this.stage)
      throw new Error(`A message of stage ${message.stage} came to ${this.stage}`);
    const job = await this.jobOf(message);
    await new Attempt(message, signal, this.attemptDependencies).run(this.stage, job);
  }

  /** @throws Error where the job is missing or of another tenant than the message names. */
  private async jobOf({ job_id, tenant_id }: StageMessage): Promise<FoldedStream<JobState>> {
    let owner: string | undefined;
    const job = await foldStream(this.dependencies.store, jobDecider, `job-${job_id}`, {
      onEvent: ({ metadata }) => (owner ??= metadata.tenant_id),
    });
    if (owner !== tenant_id) throw new Error('The message names another tenant than its job');
    return job;
  }

  private nextExecution({ job_id, attempt }: StageMessage, stage: WorkerStage): string {
    this.executions += 1;
    const { processId } = this.dependencies;
    return uuidv5('execution', job_id, stage, String(attempt), processId, String(this.executions));
  }
}
