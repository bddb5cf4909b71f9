import { StageFailure, type StageMessage } from '#contracts';
import { isOpen, type JobCommand, type OpenJob } from '#domain';
import { type EventStore, isInvalidEvent } from '#event-store';
import type { QueueDelivery } from '#queue';
import { type Clock, type Config, type Logger, sleep, uuidv5 } from '#platform';

import { commandJob } from '../log/commands.js';
import { asStageFailure, isLogUnavailable, retryDelayMs } from './stage-failures.js';
import type { StageContext, StageFunction, StageOutcome, WorkerStage } from '../stages/stage.types.js';
import { ActiveRuns, AttemptEnded } from './active-runs.js';
import { readStageMessage } from './stage-message.js';
import { StageRun } from './stage-run.js';

export interface StageWorkerDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'jobs'>;
  readonly runs: ActiveRuns;
  /** Aborted when this process takes no more work. */
  readonly stopping: AbortSignal;
  /** Unique to this process; part of every execution's id. */
  readonly processId: string;
  /** What a stage works with, apart from its job. */
  contextFor(message: StageMessage): Omit<StageContext, 'tenantId' | 'job' | 'signal' | 'report'>;
}

/** How long a stage may take to notice that it was aborted before it is left to itself; its appends are fenced anyway. */
const ABORT_GRACE_MS = 5_000;

/** Stages that another attempt goes on with where one was ended; any other would take as long again. */
const KEEPS_WORK: ReadonlySet<WorkerStage> = new Set(['embed']);

/** How long a failure waits that the log did not take. */
const FAILURE_EVERY_MS = 1_000;

type FailStage = Extract<JobCommand, { type: 'FailStage' }>;

/**
 * Carries out attempts of one stage: takes the lease, works, appends how it ended. A message whose attempt is not due
 * (stale, a duplicate, of an ended job) changes nothing. Resolving acknowledges the message; the worker only rejects when
 * the log cannot be reached or the process stops.
 */
export class StageWorker {
  private executions = 0;

  constructor(
    private readonly stage: WorkerStage,
    private readonly work: StageFunction,
    private readonly dependencies: StageWorkerDependencies,
  ) {}

  async handle({ message: { body }, signal }: QueueDelivery): Promise<void> {
    const message = readStageMessage(body);
    if (message.stage !== this.stage) throw new Error(`A message of stage ${message.stage} came to ${this.stage}`);
    if (!(await this.belongsToTenant(message))) throw new Error('The message names another tenant than its job');
    const started = await this.start(message);
    if (!started) return;
    const controller = new AbortController();
    const leave = this.dependencies.runs.enter(message.job_id, controller, this.dependencies.clock.now().getTime());
    const run = this.runOf(message, started, controller);
    try {
      await this.carryOut(message, started.job, run, controller, signal);
    } catch (error) {
      if (!(error instanceof AttemptEnded)) throw error;
      this.dependencies.logger.info(
        { job_id: message.job_id, stage: this.stage, reason: error.message },
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
  private async start({ job_id, stage, attempt, ...message }: StageMessage) {
    this.executions += 1;
    const executionId = uuidv5(
      'execution',
      job_id,
      stage,
      String(attempt),
      this.dependencies.processId,
      String(this.executions),
    );
    const command: JobCommand = { type: 'StartStage', data: { stage, attempt, worker: executionId } };
    const result = await commandJob(
      this.dependencies,
      job_id,
      executionId,
      command,
      causeOf({ ...message, stage, attempt, job_id }),
    );
    if (!result.appended || !isOpen(result.state) || result.revision === 'none') return null;
    return { executionId, job: result.state, revision: result.revision };
  }

  private runOf(
    message: StageMessage,
    started: { executionId: string; job: OpenJob; revision: bigint },
    controller: AbortController,
  ): StageRun {
    const { store, clock, logger, config } = this.dependencies;
    return new StageRun({
      store,
      clock,
      logger,
      stage: this.stage,
      ...started,
      cause: causeOf(message),
      leaseMs: config.jobs.leaseSeconds * 1_000,
      controller,
    });
  }

  private async carryOut(
    message: StageMessage,
    job: OpenJob,
    run: StageRun,
    controller: AbortController,
    taken: AbortSignal,
  ): Promise<void> {
    const { stageTimeoutSeconds } = this.dependencies.config.jobs;
    const timer = setTimeout(() => {
      const message = `Stage ${this.stage} took longer than ${stageTimeoutSeconds} s (STAGE_TIMEOUT_SECONDS)`;
      controller.abort(new StageFailure(message, KEEPS_WORK.has(this.stage)));
    }, stageTimeoutSeconds * 1_000);
    const signal = AbortSignal.any([controller.signal, taken]);
    let outcome: StageOutcome;
    try {
      outcome = await untilAborted(
        this.work({
          ...this.dependencies.contextFor(message),
          tenantId: message.tenant_id,
          job,
          signal,
          report: (progress) => run.report(progress),
        }),
        signal,
      );
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (error instanceof AttemptEnded) throw error;
      if (taken.aborted) {
        await this.letGo(run, message.attempt);
        throw error;
      }
      return await this.fail(error, message, job, run, taken);
    } finally {
      clearTimeout(timer);
    }
    try {
      await run.write(commandOf(outcome, this.stage, message.attempt));
    } catch (error) {
      if (error instanceof AttemptEnded) throw error;
      await this.fail(error, message, job, run, taken);
    }
  }

  /**
   * Writes that the stage failed, again and again while the log is away or full: left to the lease, the error would look
   * like a lost worker. An append before it that may have happened after all ends the attempt by its conflict.
   */
  private async fail(
    error: unknown,
    message: StageMessage,
    job: OpenJob,
    run: StageRun,
    taken: AbortSignal,
  ): Promise<void> {
    let command = this.failure(error, message, job);
    for (;;) {
      try {
        return await run.write(command);
      } catch (refused) {
        if (isInvalidEvent(refused) && command.data.error_details !== null) {
          command = { ...command, data: { ...command.data, error_details: null } };
          continue;
        }
        if (!isLogUnavailable(refused) || !(await sleep(FAILURE_EVERY_MS, taken))) throw refused;
        this.dependencies.logger.warn({ err: refused, job_id: message.job_id }, 'A failure could not be written yet');
      }
    }
  }

  /** The queue took the message away: hands the lease back, so that nobody has to wait until it runs out. */
  private async letGo(run: StageRun, attempt: number): Promise<void> {
    const { stopping, logger } = this.dependencies;
    const data = { stage: this.stage, attempt, released: stopping.aborted };
    await run
      .write({ type: 'LoseStage', data })
      .catch((error: unknown) => logger.warn({ err: error, stage: this.stage }, 'A lease could not be handed back'));
  }

  private failure(error: unknown, { job_id, attempt }: StageMessage, job: OpenJob): FailStage {
    const { logger, clock } = this.dependencies;
    const { stage } = this;
    const failure = asStageFailure(error, stage);
    logger.warn({ err: error, job_id, stage, attempt, retryable: failure.retryable }, 'A stage failed');
    const ownDelay = retryDelayMs(job.retry_count + 1, `${job_id}:${stage}:${attempt}`);
    const delay = Math.max(ownDelay, failure.retryAfterMs ?? 0);
    return {
      type: 'FailStage',
      data: {
        stage,
        attempt,
        error_message: failure.message,
        error_details: failure.details,
        retryable: failure.retryable,
        retry_at: new Date(clock.now().getTime() + delay).toISOString(),
      },
    };
  }
}

function causeOf(message: StageMessage) {
  return {
    tenantId: message.tenant_id,
    correlationId: message.correlation_id,
    causationId: message.causation_id,
  };
}

function commandOf(outcome: StageOutcome, stage: WorkerStage, attempt: number): JobCommand {
  switch (outcome.kind) {
    case 'advanced': {
      const { artifact, version_ref, details, counters } = outcome;
      const version = version_ref === undefined ? {} : { version_ref };
      return {
        type: 'AdvanceStage',
        data: { stage, attempt, artifact, ...version, stage_details: details, ...counters },
      };
    }
    case 'unchanged': {
      const { version_ref, file_count, chunk_count, details } = outcome;
      return {
        type: 'CompleteUnchanged',
        data: { attempt, version_ref, file_count, chunk_count, stage_details: details },
      };
    }
    case 'staged': {
      const { manifest, version_ref, file_count, chunk_count, details, counters } = outcome;
      return {
        type: 'StageGeneration',
        data: { attempt, manifest, version_ref, file_count, chunk_count, stage_details: details, ...counters },
      };
    }
  }
}

/** The work's own end, or the signal's reason when the work does not end soon after an abort. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    void sleep(ABORT_GRACE_MS, undefined, { unref: true }).then(() => aborted.reject(signal.reason as Error));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  aborted.promise.catch(() => undefined);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
