import { StageFailure, type StageMessage } from '#contracts';
import type { JobCommand } from '#domain';
import { isInvalidEvent } from '#event-store';
import { type Clock, type Config, type Logger, sleep } from '#platform';

import type {
  StageContext,
  StageFunction,
  StageOutcome,
  WorkerStage,
} from '../stages/stage.types.js';
import { AttemptEnded } from './active-runs.js';
import type { AttemptBlobs } from './attempt-blobs.js';
import { asStageFailure, isLogUnavailable, retryDelayMs } from './stage-failures.js';
import type { StageRun } from './stage-run.js';

export interface StageAttemptDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'jobs'>;
  /** Aborted when this process takes no more work. */
  readonly stopping: AbortSignal;
  /** Does the work of a stage. */
  workOf(stage: WorkerStage): StageFunction;
  /** What a stage works with, apart from its job. */
  contextFor(
    message: StageMessage,
  ): Omit<StageContext, 'tenantId' | 'job' | 'signal' | 'report' | 'blobs' | 'parts'>;
  /** The blob store as an attempt sees it. */
  blobsFor(message: StageMessage, signal: AbortSignal): AttemptBlobs;
}

/**
 * How long a stage may take to notice that it was aborted before it is left to itself; its appends
 * are fenced anyway.
 */
const ABORT_GRACE_MS = 5_000;

/**
 * Stages that another attempt goes on with where one was ended; any other would take as long again.
 */
const KEEPS_WORK: ReadonlySet<WorkerStage> = new Set(['embed']);

/** How long a failure waits that the log did not take. */
const FAILURE_EVERY_MS = 1_000;

type FailStage = Extract<JobCommand, { type: 'FailStage' }>;

/** One attempt of a stage, from the lease that was taken for it to the event that ends it. */
export class StageAttempt {
  private readonly signal: AbortSignal;
  private readonly blobs: AttemptBlobs;

  /**
   * @param message the work: what was sent, for the stage of this attempt.
   * @param controller ends it from outside; the time limit of the stage uses it as well.
   * @param taken aborted when the queue takes the message away.
   */
  constructor(
    private readonly message: StageMessage,
    private readonly run: StageRun,
    private readonly controller: AbortController,
    private readonly taken: AbortSignal,
    private readonly dependencies: StageAttemptDependencies,
  ) {
    this.signal = AbortSignal.any([controller.signal, taken]);
    this.blobs = dependencies.blobsFor(message, this.signal);
  }

  /**
   * Works, and writes how it ended where it did not end well.
   * @returns how it ended well, which is still to be written; null where a failure was written.
   * @throws AttemptEnded; what the queue took the message away for.
   */
  async work(): Promise<StageOutcome | null> {
    const { run, message, controller, taken, signal } = this;
    const { stageTimeoutSeconds } = this.dependencies.config.jobs;
    const timer = setTimeout(() => {
      const text = `Stage ${run.stage} took longer than ${stageTimeoutSeconds} s (STAGE_TIMEOUT_SECONDS)`;
      controller.abort(new StageFailure(text, KEEPS_WORK.has(run.stage)));
    }, stageTimeoutSeconds * 1_000);
    try {
      return await untilAborted(
        this.dependencies.workOf(run.stage)({
          ...this.dependencies.contextFor(message),
          blobs: this.blobs.blobs,
          parts: this.blobs.parts,
          tenantId: message.tenant_id,
          job: run.state,
          signal,
          report: (progress) => run.report(progress),
        }),
        signal,
      );
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown;
      await this.blobs.close('failed');
      if (error instanceof AttemptEnded) throw error;
      if (taken.aborted) {
        await this.letGo();
        throw error;
      }
      await this.fail(error);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Writes how it ended well. @param write appends the command. @returns what `write` did; null
   * where a failure was written.
   */
  async end<T>(
    outcome: StageOutcome,
    write: (command: JobCommand) => Promise<T>,
  ): Promise<T | null> {
    try {
      const written = await write(commandOf(outcome, this.run.stage, this.message.attempt));
      await this.blobs.close('succeeded');
      return written;
    } catch (error) {
      // The log may have the outcome, and then it names what the attempt wrote.
      await this.blobs.close('unknown');
      if (error instanceof AttemptEnded) throw error;
      await this.fail(error);
      return null;
    }
  }

  /**
   * Writes that the stage failed, again and again while the log is away or full: left to the lease,
   * the error would look like a lost worker. An append before it that may have happened after all
   * ends the attempt by its conflict.
   */
  private async fail(error: unknown): Promise<void> {
    const { run, taken, message } = this;
    let command = this.failure(error);
    for (;;) {
      try {
        return await run.write(command);
      } catch (refused) {
        if (isInvalidEvent(refused) && command.data.error_details !== null) {
          command = { ...command, data: { ...command.data, error_details: null } };
          continue;
        }
        if (!isLogUnavailable(refused) || !(await sleep(FAILURE_EVERY_MS, taken))) throw refused;
        this.dependencies.logger.warn(
          { err: refused, job_id: message.job_id },
          'A failure could not be written yet',
        );
      }
    }
  }

  /**
   * The queue took the message away: hands the lease back, so that nobody has to wait until it runs
   * out.
   */
  private async letGo(): Promise<void> {
    const { stopping, logger } = this.dependencies;
    const { stage } = this.run;
    const data = {
      stage,
      attempt: this.message.attempt,
      released: stopping.aborted,
      handedBack: true,
    };
    await this.run
      .write({ type: 'LoseStage', data })
      .catch((error: unknown) =>
        logger.warn({ err: error, stage }, 'A lease could not be handed back'),
      );
  }

  private failure(error: unknown): FailStage {
    const { logger, clock } = this.dependencies;
    const { job_id, attempt } = this.message;
    const { stage, state: job } = this.run;
    const failure = asStageFailure(error, stage);
    logger.warn(
      { err: error, job_id, stage, attempt, retryable: failure.retryable },
      'A stage failed',
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
      },
    };
  }
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
      const { version_ref, file_count, chunk_count, bytes, details } = outcome;
      const found = { version_ref, file_count, chunk_count, ...(bytes !== undefined && { bytes }) };
      return { type: 'CompleteUnchanged', data: { attempt, ...found, stage_details: details } };
    }
    case 'staged': {
      const { manifest, version_ref, file_count, chunk_count, bytes, details, counters } = outcome;
      const staged = {
        manifest,
        version_ref,
        file_count,
        chunk_count,
        ...(bytes !== undefined && { bytes }),
      };
      return {
        type: 'StageGeneration',
        data: { attempt, ...staged, stage_details: details, ...counters },
      };
    }
  }
}

/** The work's own end, or the signal's reason when the work does not end soon after an abort. */
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
