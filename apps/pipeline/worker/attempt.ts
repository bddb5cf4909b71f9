import { nextStage, StageFailure, type StageMessage } from '#contracts';
import { isOpen, type JobCommand, type JobState } from '#domain';
import { type EventStore, type FoldedStream, isInvalidEvent } from '#event-store';
import { type Clock, type Config, type Logger, sleep, type Tracer } from '#platform';

import type { AttemptBlobs, GivenParts } from '../artifacts/attempt-blobs.js';
import { LostPartError } from '../artifacts/lost-part-error.js';
import { commandJob } from '../log/commands.js';
import {
  isWorkerStage,
  type StageContext,
  type StageFunction,
  type StageOutcome,
  type WorkerStage,
} from '../stages/stage.types.js';
import { WorkAhead } from '../stages/work-ahead.js';
import { type ActiveRuns, AttemptEnded } from './active-runs.js';
import { commandOf } from './outcome-command.js';
import { asStageFailure, isLogUnavailable, retryDelayMs } from './stage-failures.js';
import { StageLease } from './stage-lease.js';

export interface AttemptDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly config: Pick<Config, 'jobs'>;
  readonly runs: ActiveRuns;
  /** Aborted when this process takes no more work. */
  readonly stopping: AbortSignal;
  /** Returns a new id for an execution of a stage, unique to this process. */
  executionId(message: StageMessage, stage: WorkerStage): string;
  /** Returns the function of a stage. */
  workOf(stage: WorkerStage): StageFunction;
  /** Reports whether the time of a stage depends on its input alone, not on another service. */
  isPrompt(stage: WorkerStage): boolean;
  /** Returns the context of a stage, without the parts that belong to the attempt. */
  contextFor(
    message: StageMessage,
  ): Omit<StageContext, 'tenantId' | 'job' | 'signal' | 'report' | 'blobs' | 'parts' | 'ahead'>;
  /**
   * Returns the blob store as an attempt sees it. @param given output of the previous stage, if
   * this worker ran it.
   */
  blobsFor(message: StageMessage, signal: AbortSignal, given?: GivenParts): AttemptBlobs;
}

/** Below this size in bytes, the next stage ends before a message for it would arrive. */
const SMALL_BYTES = 256 * 1024;
/** Time that an aborted stage has to end, milliseconds; its appends are fenced anyway. */
const ABORT_GRACE_MS = 5_000;
/** Stages that a later attempt continues; every other one would exceed the time limit again. */
const KEEPS_WORK: ReadonlySet<WorkerStage> = new Set(['embed']);
/** Pause between two tries to write a failure, milliseconds. */
const FAILURE_EVERY_MS = 1_000;

type FailStage = Extract<JobCommand, { type: 'FailStage' }>;

/**
 * Attempt of the stage that a message names, from top to bottom. It {@link claim}s the lease, runs
 * the stage, records its outcome, and resolves, which acknowledges the message.
 *
 * If little is left for the next stage, the same worker continues with it, so a small sync needs
 * one message. The end of a stage and the lease of the next wait for a moment for further events
 * (see {@link StageLease}).
 */
export class Attempt {
  private readonly controller = new AbortController();
  private readonly signal: AbortSignal;
  /** Output of the stage before, if this worker ran it. */
  private given: GivenParts | undefined;
  private readonly ahead: WorkAhead;

  /** @param taken aborted when the queue takes the message away. */
  constructor(
    private readonly message: StageMessage,
    private readonly taken: AbortSignal,
    private readonly dependencies: AttemptDependencies,
  ) {
    this.signal = AbortSignal.any([this.controller.signal, taken]);
    const { pool, embedder, config } = dependencies.contextFor(message);
    this.ahead = new WorkAhead({
      tenantId: message.tenant_id,
      sourceId: message.source_id,
      pool,
      embedder,
      maxChunks: config.limits.maxChunksPerSource,
      signal: this.signal,
      blobs: dependencies.blobsFor(message, this.signal),
    });
  }

  /**
   * @param job the job as it was read for this message.
   * @throws an error of the log, or the reason for which the queue took the message away.
   */
  async run(stage: WorkerStage, job: FoldedStream<JobState>): Promise<void> {
    const { runs, clock, logger } = this.dependencies;
    let lease = await this.claim(stage, job);
    if (!lease) return;
    const leave = runs.enter(this.message, this.controller, clock.now().getTime());
    try {
      for (;;) {
        const next = await this.runStage(lease);
        if (!next) return;
        lease = next;
      }
    } catch (error) {
      if (!(error instanceof AttemptEnded)) throw error;
      logger.info(
        { job_id: this.message.job_id, stage: lease.stage, reason: error.message },
        'stage: attempt ended',
      );
    } finally {
      await this.ahead.close();
      leave();
      await lease.release();
    }
  }

  /** Takes the lease. @returns null if the attempt is not due. */
  private async claim(
    stage: WorkerStage,
    known: FoldedStream<JobState>,
  ): Promise<StageLease | null> {
    const { message, controller } = this;
    const { store, clock, logger, config } = this.dependencies;
    const { job_id, attempt } = message;
    const executionId = this.dependencies.executionId(message, stage);
    const data = { stage, attempt, worker: executionId };
    const command: JobCommand = { type: 'StartStage', data };
    const cause = causeOf(message);
    const started = await commandJob(this.dependencies, job_id, executionId, command, cause, known);
    const { state: job, revision } = started;
    if (!started.appended || !isOpen(job) || revision === 'none') return null;
    const leaseMs = config.jobs.leaseSeconds * 1_000;
    return new StageLease({
      store,
      clock,
      logger,
      stage,
      leaseMs,
      job,
      revision,
      executionId,
      cause,
      controller,
    });
  }

  /** Runs a stage and records its end. @returns the lease of the next stage, if it continues. */
  private async runStage(lease: StageLease): Promise<StageLease | null> {
    const message = { ...this.message, stage: lease.stage, attempt: lease.state.attempt };
    const blobs = this.dependencies.blobsFor(message, this.signal, this.given);
    let outcome: StageOutcome;
    try {
      outcome = await this.traced(message, () => this.work(message, lease, blobs));
    } catch (thrown) {
      const error: unknown = this.signal.aborted ? this.signal.reason : thrown;
      await (this.taken.aborted ? lease.discardHeld() : this.keepInput());
      await Promise.all([this.ahead.close(), blobs.close('failed')]);
      if (error instanceof AttemptEnded) throw error;
      if (!this.taken.aborted) return this.fail(lease, error);
      await this.releaseLease(lease);
      throw error;
    }
    try {
      const next = await this.record(outcome, lease, blobs);
      this.given = blobs.output;
      await blobs.close('succeeded');
      return next;
    } catch (error) {
      await this.keepInput();
      // The log may have the outcome, and then it names what the attempt wrote.
      await Promise.all([this.ahead.close(), blobs.close('unknown')]);
      if (error instanceof AttemptEnded) throw error;
      return this.fail(lease, error);
    }
  }

  /**
   * Stores the input of a stage that failed, for its next attempt. Without it, that one would start
   * again with the fetch.
   */
  private async keepInput(): Promise<void> {
    if (this.signal.aborted) return;
    const { logger } = this.dependencies;
    await this.given?.listing?.store().catch((error: unknown) => {
      logger.warn({ err: error }, 'stage: its input could not be stored; the fetch is repeated');
    });
  }

  /** Runs the work as a span of the job's trace. */
  private traced<T>(message: StageMessage, work: () => Promise<T>): Promise<T> {
    const { tenant_id, job_id, stage, attempt, correlation_id } = message;
    const attributes = {
      'footnote.tenant_id': tenant_id,
      'footnote.job_id': job_id,
      'footnote.attempt': attempt,
      'footnote.correlation_id': correlation_id,
    };
    const options = { parent: { job: job_id }, attributes };
    return this.dependencies.tracer.span(`stage ${stage}`, options, work);
  }

  /** Calls the function of the stage, within the time limit. */
  private async work(
    message: StageMessage,
    lease: StageLease,
    { blobs, parts }: AttemptBlobs,
  ): Promise<StageOutcome> {
    const { stageTimeoutSeconds } = this.dependencies.config.jobs;
    const timer = setTimeout(() => {
      const text = `Stage ${lease.stage} took longer than ${stageTimeoutSeconds} s (STAGE_TIMEOUT_SECONDS)`;
      this.controller.abort(new StageFailure(text, KEEPS_WORK.has(lease.stage)));
    }, stageTimeoutSeconds * 1_000);
    try {
      const context: StageContext = {
        ...this.dependencies.contextFor(message),
        blobs,
        parts,
        ahead: this.ahead,
        tenantId: message.tenant_id,
        job: lease.state,
        signal: this.signal,
        report: (progress) => lease.report(progress),
      };
      return await untilAborted(this.dependencies.workOf(lease.stage)(context), this.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Records the outcome. @returns the lease of the next stage, if this worker continues. */
  private async record(
    outcome: StageOutcome,
    lease: StageLease,
    blobs: AttemptBlobs,
  ): Promise<StageLease | null> {
    const command = commandOf(outcome, lease.stage, lease.state.attempt);
    const next = nextStage(lease.stage);
    if (next && isWorkerStage(next) && this.canContinue(outcome, next)) {
      const message = { ...this.message, attempt: lease.state.attempt };
      const executionId = this.dependencies.executionId(message, next);
      return lease.startNextStage(command, next, executionId, {
        mayWait: () => !blobs.hasStoredInput,
        store: () => blobs.storeListing(),
      });
    }
    await blobs.storeListing();
    await lease.write(command);
    return null;
  }

  private canContinue(outcome: StageOutcome, next: WorkerStage): boolean {
    if (outcome.kind !== 'advanced' || outcome.bytes === undefined) return false;
    const isSmall = outcome.bytes < SMALL_BYTES || (next !== 'index' && this.ahead.isUsed);
    return isSmall && this.dependencies.isPrompt(next) && !this.dependencies.stopping.aborted;
  }

  /**
   * Records that the stage failed, with retries while the log is away or full: a lease that runs
   * out would look like a lost worker. If an earlier append did happen, its conflict ends the
   * attempt.
   */
  private async fail(lease: StageLease, error: unknown): Promise<null> {
    let command = this.failure(lease, error);
    for (;;) {
      try {
        await lease.write(command);
        return null;
      } catch (refused) {
        if (isInvalidEvent(refused) && command.data.error_details !== null) {
          command = { ...command, data: { ...command.data, error_details: null } };
          continue;
        }
        if (!isLogUnavailable(refused) || !(await sleep(FAILURE_EVERY_MS, this.taken)))
          throw refused;
        this.dependencies.logger.warn(
          { err: refused, job_id: this.message.job_id },
          'stage: the failure could not be recorded; retrying',
        );
      }
    }
  }

  /** Gives the lease back after the queue took the message away: nobody waits until it runs out. */
  private async releaseLease(lease: StageLease): Promise<void> {
    const { stopping, logger } = this.dependencies;
    const { stage, attempt } = lease.state;
    const data = {
      stage,
      attempt,
      released: stopping.aborted,
      handedBack: true,
    };
    await lease
      .write({ type: 'LoseStage', data })
      .catch((error: unknown) =>
        logger.warn({ err: error, stage }, 'stage: the lease could not be released; it runs out'),
      );
  }

  private failure({ stage, state: job }: StageLease, error: unknown): FailStage {
    const { logger, clock } = this.dependencies;
    const { attempt } = job;
    const { job_id } = this.message;
    const failure = asStageFailure(error, stage);
    logger.warn(
      { err: error, job_id, stage, attempt, retryable: failure.retryable },
      'stage: attempt failed',
    );
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
        ...(failure instanceof LostPartError && { inputLost: true }),
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

/** Returns the result of the work; rejects with the signal's reason if it ignores an abort. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    void sleep(ABORT_GRACE_MS, undefined, { unref: true }).then(() =>
      aborted.reject(signal.reason as Error),
    );
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
