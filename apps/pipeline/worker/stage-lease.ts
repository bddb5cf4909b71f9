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

export interface StageLeaseOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stage: WorkerStage;
  /** Job after the JobStageStarted of this attempt, and the revision of that event. */
  readonly job: OpenJob;
  readonly revision: bigint;
  /** Unique to this execution; the ids of its events are derived from it. */
  readonly executionId: string;
  readonly cause: Cause;
  readonly leaseMs: number;
  /** Aborted with AttemptEnded after a conflict, or with the error of a failed renewal. */
  readonly controller: AbortController;
}

const PROGRESS_EVERY_MS = 1_000;

/**
 * Lease of one attempt: renews it and appends to the stream of the job. It appends at its own last
 * revision, one append at a time. The first conflict means that the job ended or another worker
 * took over, and ends the attempt. Progress is written at most once a second and, to renew the
 * lease, at least once per third of it. A renewal that the log rejects fails the stage.
 */
export class StageLease {
  private job: OpenJob;
  private revision: bigint;
  private appends = 0;
  private last: Promise<void> = Promise.resolve();
  private latest: StageProgress;
  private dirty = false;
  private writtenAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: StageLeaseOptions) {
    this.job = options.job;
    this.revision = options.revision;
    this.latest = { fraction: 0, message: `Stage ${options.stage} started`, details: {} };
    this.writtenAt = options.clock.monotonic();
    const tick = Math.min(PROGRESS_EVERY_MS / 4, options.leaseMs / 8);
    this.timer = setInterval(() => this.writeProgressIfDue(), tick);
  }

  /** Notes progress for the next renewal. */
  report(progress: StageProgress): void {
    this.latest = progress;
    this.dirty = true;
  }

  /**
   * Appends the events of a command, after earlier appends.
   * @throws AttemptEnded on a conflict, or if the job has moved on.
   */
  async write(command: JobCommand): Promise<void> {
    await this.inTurn(() => this.append([command]));
  }

  /**
   * Ends this stage and takes the lease of the next one, in one append. This lease is over then, so
   * its renewals stop before: one after that append would end the attempt.
   * @throws as {@link write}.
   */
  async startNextStage(
    end: JobCommand,
    stage: WorkerStage,
    executionId: string,
  ): Promise<StageLease> {
    clearInterval(this.timer);
    const { attempt } = this.job;
    const start: JobCommand = { type: 'StartStage', data: { stage, attempt, worker: executionId } };
    const causationId = await this.inTurn(() => this.append([end, start]));
    await this.release();
    const cause = { ...this.options.cause, causationId };
    return new StageLease({
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

  /** Job after the newest append. */
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

  /** Stops renewals; resolves when no append runs. */
  async release(): Promise<void> {
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
      // An unavailable log may return within the lease; other errors would last until it is lost.
      if (isLogUnavailable(error))
        logger.warn({ err: error }, 'stage: progress could not be written; retrying');
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
      deadline: clock.monotonic() + this.limitMs(commands),
      clock,
    };
    try {
      const { revision } = await appendSurely(target, proposed, this.revision);
      this.revision = revision;
    } catch (error) {
      if (isWrongExpectedRevision(error))
        throw this.ended('Another process has written to the job');
      throw error;
    }
    this.writtenAt = clock.monotonic();
    this.job = evolved(this.job, events);
    return proposed[0]?.id ?? cause.causationId;
  }

  /** Returns the time limit of an append: a renewal must not delay the append after it for long. */
  private limitMs(commands: readonly JobCommand[]): number {
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

/** Returns the open job after events. After its last event a lease writes no more. */
function evolved(job: OpenJob, events: readonly JobEvent[]): OpenJob {
  const after = events.reduce(
    (state, event) => jobDecider.evolve(state, event),
    job as ReturnType<typeof jobDecider.evolve>,
  );
  return after.status === 'pending' || after.status === 'running' ? after : job;
}
