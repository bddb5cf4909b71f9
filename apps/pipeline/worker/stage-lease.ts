import { type JobEvent, progressWithin, type ProposedEvent } from '#contracts';
import { type JobCommand, jobDecider, type OpenJob } from '#domain';
import {
  appendSurely,
  type EventStore,
  isWrongExpectedRevision,
  proposeEvents,
  validateEvent,
} from '#event-store';
import { type Clock, type Logger, uuidv5 } from '#platform';

import { APPEND_DEADLINE_MS, type Cause, systemMetadata } from '../log/commands.js';
import type { StageProgress, WorkerStage } from '../stages/stage.types.js';
import { AttemptEnded } from './active-runs.js';
import { HeldEvents } from './held-events.js';
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
  /** Events of earlier stages of this worker that the log does not have yet. */
  readonly held?: HeldEvents;
  /** Time of the last append, by the monotonic clock in milliseconds. Default: now. */
  readonly writtenAt?: number;
}

/** Output of a stage, for the next one of the same worker. */
export interface StageOutput {
  /** Reports whether the log may name it later: false if the input of the stage is deleted now. */
  mayWait(): boolean;
  /** Stores it; called before the log names it as the input of due work. */
  store(): Promise<void>;
}

const PROGRESS_EVERY_MS = 1_000;
/** Time that the end of a stage may wait for the events of the next ones, milliseconds. */
const HOLD_MS = 500;

/**
 * Lease of one attempt: renews it and appends to the stream of the job. It appends at its own last
 * revision, one append at a time. The first conflict means that the job ended or another worker
 * took over, and ends the attempt. Progress is written at most once a second and, to renew the
 * lease, at least once per third of it. A renewal that the log rejects fails the stage.
 *
 * The end of a stage and the lease of the next may be held for half a second. A small sync ends its
 * stages within that time and appends their events at once. Until then the log shows the stage
 * before: if the worker dies, the job continues there. Held events come before any later one, and
 * the output that the last of them names is stored before the log has them.
 */
export class StageLease {
  private job: OpenJob;
  private revision: bigint;
  private appends = 0;
  private last: Promise<void> = Promise.resolve();
  private latest: StageProgress;
  private dirty = false;
  private readonly held: HeldEvents;
  private writtenAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: StageLeaseOptions) {
    this.job = options.job;
    this.revision = options.revision;
    this.held = options.held ?? new HeldEvents();
    this.latest = { fraction: 0, message: `Stage ${options.stage} started`, details: {} };
    this.writtenAt = options.writtenAt ?? options.clock.monotonic();
    const tick = Math.min(PROGRESS_EVERY_MS / 4, options.leaseMs / 8);
    this.timer = setInterval(() => this.writeIfDue(), tick);
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
   * Ends this stage and takes the lease of the next one, in one append or held for a later one.
   * This lease is over then, so its renewals stop before: one after that append would end the
   * attempt.
   * @throws as {@link write}.
   */
  async startNextStage(
    end: JobCommand,
    stage: WorkerStage,
    executionId: string,
    output: StageOutput,
  ): Promise<StageLease> {
    clearInterval(this.timer);
    const { attempt } = this.job;
    const start: JobCommand = { type: 'StartStage', data: { stage, attempt, worker: executionId } };
    const causationId = await this.inTurn(async () => {
      if (output.mayWait() && this.held.age(this.options.clock.monotonic()) < this.holdMs)
        return this.hold([end, start], output);
      await output.store();
      return this.append([end, start]);
    });
    await this.release();
    const cause = { ...this.options.cause, causationId };
    return new StageLease({
      ...this.options,
      held: this.held,
      writtenAt: this.writtenAt,
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

  /** Job after the newest event, held ones included. */
  get state(): OpenJob {
    return this.job;
  }

  /** Forgets held events, after earlier appends: the job continues where the log shows it. */
  async discardHeld(): Promise<void> {
    await this.inTurn(() => {
      this.job = this.held.clear() ?? this.job;
      return Promise.resolve();
    });
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

  private get holdMs(): number {
    return Math.min(HOLD_MS, this.options.leaseMs / 3);
  }

  private writeIfDue(): void {
    const { clock, leaseMs } = this.options;
    const now = clock.monotonic();
    const since = now - this.writtenAt;
    if ((this.dirty && since >= PROGRESS_EVERY_MS) || since >= leaseMs / 3) {
      this.writtenAt = now;
      this.dirty = false;
      this.renew([this.progressCommand()]);
    } else if (!this.held.isEmpty && this.held.age(now) >= this.holdMs) this.renew([]);
  }

  /** Appends held events and progress, after the input of the stage is stored. */
  private renew(commands: readonly JobCommand[]): void {
    const { controller, logger } = this.options;
    const renewal = this.inTurn(async () => {
      await this.held.store();
      if (commands.length > 0 || !this.held.isEmpty) await this.append(commands);
    });
    renewal.catch((error: unknown) => {
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

  /** Appends held events and those of commands. @returns the id of the first event of these. */
  private async append(commands: readonly JobCommand[]): Promise<string> {
    const { store, clock, cause } = this.options;
    const { proposed, job } = this.decided(commands);
    const target = {
      store,
      stream: `job-${this.job.job_id}` as const,
      deadline: clock.monotonic() + this.limitMs(commands),
      clock,
    };
    try {
      const events = [...this.held.all, ...proposed];
      const { revision } = await appendSurely(target, events, this.revision);
      this.revision = revision;
    } catch (error) {
      if (isWrongExpectedRevision(error))
        throw this.ended('Another process has written to the job');
      throw error;
    }
    this.held.clear();
    this.writtenAt = clock.monotonic();
    this.job = job;
    return proposed[0]?.id ?? cause.causationId;
  }

  /** Keeps the events of commands for a later append. @returns the id of the first. */
  private hold(commands: readonly JobCommand[], output: StageOutput): string {
    const { clock, cause } = this.options;
    const { proposed, job } = this.decided(commands);
    // One that the log would reject fails this stage, not a later one.
    const events = proposed.map(validateEvent);
    this.held.add(events, this.job, clock.monotonic(), () => output.store());
    this.job = job;
    return events[0]?.id ?? cause.causationId;
  }

  /** Returns the events of commands, and the job after them. */
  private decided(commands: readonly JobCommand[]): {
    readonly proposed: readonly ProposedEvent[];
    readonly job: OpenJob;
  } {
    const { clock, executionId, cause, controller } = this.options;
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
    return { proposed, job: evolved(this.job, events) };
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
