import { type JobEvent, progressWithin } from '#contracts';
import { type JobCommand, jobDecider, type OpenJob } from '#domain';
import {
  appendSurely,
  type EventStore,
  isWrongExpectedRevision,
  proposeEvents,
} from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';

import { APPEND_DEADLINE_MS, type Cause, systemMetadata } from '../log/commands.js';
import type { StageProgress, WorkerStage } from '../stages/stage.types.js';
import { AttemptEnded } from './active-runs.js';
import { isLogUnavailable } from './stage-failures.js';
import { withoutUrlSecrets } from './without-url-secrets.js';

export interface StageRunOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stage: WorkerStage;
  /** The job as this attempt's JobStageStarted left it, and that event's revision. */
  readonly job: OpenJob;
  readonly revision: bigint;
  /** Unique to this execution; the ids of its events come from it. */
  readonly executionId: string;
  readonly cause: Cause;
  readonly leaseMs: number;
  /**
   * Aborted with AttemptEnded when an append finds that somebody else has written, else with what a
   * renewal failed by.
   */
  readonly controller: AbortController;
}

const PROGRESS_EVERY_MS = 1_000;

/**
 * What one attempt writes into the job's stream. It appends at its own last revision, one append at
 * a time: the first conflict means that the job was ended or taken over, and ends the attempt.
 * Progress goes out at most once a second and, as the renewal of the lease, at least each third of
 * it; one that the log refuses for good fails the stage.
 */
export class StageRun {
  private job: OpenJob;
  private revision: bigint;
  private appends = 0;
  private last: Promise<void> = Promise.resolve();
  private latest: StageProgress;
  private dirty = false;
  private writtenAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: StageRunOptions) {
    this.job = options.job;
    this.revision = options.revision;
    this.latest = { fraction: 0, message: `Stage ${options.stage} started`, details: {} };
    this.writtenAt = options.clock.monotonic();
    const tick = Math.min(PROGRESS_EVERY_MS / 4, options.leaseMs / 8);
    this.timer = setInterval(() => this.writeProgressIfDue(), tick);
  }

  report(progress: StageProgress): void {
    this.latest = progress;
    this.dirty = true;
  }

  /** Writes what was reported last, now. */
  async tell(progress: StageProgress): Promise<void> {
    this.report(progress);
    this.dirty = false;
    await this.write(this.progressCommand());
  }

  /**
   * Appends what the command decides, after all that was under way.
   * @throws AttemptEnded on a conflict, or when the job's own state says that the attempt no longer
   * counts.
   */
  async write(command: JobCommand): Promise<void> {
    await this.inTurn(() => this.append([command]));
  }

  /**
   * Ends this attempt and takes the lease of the one that follows from it, in one append.
   * @returns the run of that one; this one is over.
   * @throws as {@link write}.
   */
  async goOn(end: JobCommand, stage: WorkerStage, executionId: string): Promise<StageRun> {
    const { attempt } = this.job;
    const start: JobCommand = { type: 'StartStage', data: { stage, attempt, worker: executionId } };
    const causationId = await this.inTurn(() => this.append([end, start]));
    await this.stop();
    const cause = { ...this.options.cause, causationId };
    return new StageRun({
      ...this.options,
      stage,
      executionId,
      cause,
      job: this.job,
      revision: this.revision,
    });
  }

  get stage(): WorkerStage {
    return this.options.stage;
  }

  /** The job as the newest append left it. */
  get state(): OpenJob {
    return this.job;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  /** Stops renewing; resolves when no append is under way any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.last;
  }

  private writeProgressIfDue(): void {
    const { clock, leaseMs, controller, logger } = this.options;
    const since = clock.monotonic() - this.writtenAt;
    if (!(this.dirty && since >= PROGRESS_EVERY_MS) && since < leaseMs / 3) return;
    this.writtenAt = clock.monotonic();
    this.dirty = false;
    this.write(this.progressCommand()).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      // A log that is away may come back within the lease; anything else would go on until the
      // lease is lost.
      if (isLogUnavailable(error))
        logger.warn({ err: error }, 'A progress event could not be written');
      else controller.abort(error);
    });
  }

  private progressCommand(): JobCommand {
    const { stage } = this.options;
    const { fraction, message, details, counters } = this.latest;
    return {
      type: 'RecordProgress',
      data: {
        stage,
        attempt: this.job.attempt,
        progress_percent: progressWithin(stage, fraction),
        progress_message: message,
        stage_details: details,
        ...counters,
      },
    };
  }

  /** @returns the id of the first event. */
  private async append(commands: readonly JobCommand[]): Promise<string> {
    const { store, clock, executionId, cause, controller } = this.options;
    if (controller.signal.reason instanceof AttemptEnded) throw controller.signal.reason;
    const events: JobEvent[] = [];
    for (const command of commands) {
      const decided = jobDecider.decide(withoutUrlSecrets(command), evolved(this.job, events));
      if (decided.length === 0) throw this.ended('The job has moved on');
      events.push(...decided);
    }
    this.appends += 1;
    const proposed = proposeEvents(events, {
      commandId: uuidv5('append', executionId, String(this.appends)),
      metadata: systemMetadata(cause, clock),
    });
    const target = {
      store,
      stream: `job-${this.job.job_id}` as const,
      deadline: clock.monotonic() + this.patience(commands),
      clock,
    };
    try {
      const { revision } = await appendSurely(target, proposed, this.revision);
      this.revision = revision;
    } catch (error) {
      if (isWrongExpectedRevision(error)) throw this.ended('Somebody else has written to the job');
      throw error;
    }
    this.writtenAt = clock.monotonic();
    this.job = evolved(this.job, events);
    return proposed[0]?.id ?? cause.causationId;
  }

  /**
   * A renewal that cannot be written must not hold up what comes after it; the end of a stage is
   * worth waiting for.
   */
  private patience(commands: readonly JobCommand[]): number {
    return commands.every(({ type }) => type === 'RecordProgress')
      ? Math.min(this.options.leaseMs / 3, APPEND_DEADLINE_MS)
      : APPEND_DEADLINE_MS;
  }

  private ended(reason: string): AttemptEnded {
    const error = new AttemptEnded(reason);
    this.options.controller.abort(error);
    return error;
  }
}

/** After its last event a run writes no more, so the state of an ended job need not be kept. */
function evolved(job: OpenJob, events: readonly JobEvent[]): OpenJob {
  const after = events.reduce(
    (state, event) => jobDecider.evolve(state, event),
    job as ReturnType<typeof jobDecider.evolve>,
  );
  return after.status === 'pending' || after.status === 'running' ? after : job;
}
