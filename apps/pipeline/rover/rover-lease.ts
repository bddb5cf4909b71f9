import type { RoverEvent } from '#contracts';
import {
  isOpenRoverJob,
  type OpenRoverJob,
  type RoverCommand,
  roverDecider,
  RoverLeaseLost,
  type RoverState,
  runningStep,
} from '#domain';
import {
  appendSurely,
  type EventStore,
  isWrongExpectedRevision,
  proposeEvents,
} from '#event-store';
import { type Clock, uuidv5 } from '#platform';

import { APPEND_DEADLINE_MS, type Cause, systemMetadata } from '../log/commands.js';

export interface RoverLeaseOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  /** The job as it was read, and the revision of its newest event. */
  readonly job: OpenRoverJob;
  readonly revision: bigint;
  /** Unique to this run of the job; the ids of its events are derived from it. */
  readonly executionId: string;
  readonly cause: Cause;
  readonly leaseMs: number;
  /** Aborted with RoverLeaseLost after a conflict, or with the error of a failed append. */
  readonly controller: AbortController;
}

/**
 * Lease of one job: appends at its own last revision, one append at a time. The first conflict
 * means that the job was cancelled or another worker took over. A running step without events
 * renews the lease at every third of it.
 */
export class RoverLease {
  private current: OpenRoverJob;
  private revision: bigint;
  private appends = 0;
  private last: Promise<unknown> = Promise.resolve();
  private writtenAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: RoverLeaseOptions) {
    this.current = options.job;
    this.revision = options.revision;
    this.writtenAt = options.clock.monotonic();
    this.timer = setInterval(() => this.renewIfDue(), options.leaseMs / 12);
  }

  /** The job after the newest append. */
  get job(): OpenRoverJob {
    return this.current;
  }

  /**
   * Appends the events of commands, all in one append, after earlier appends.
   * @throws RoverLeaseLost on a conflict.
   */
  write(...commands: readonly RoverCommand[]): Promise<void> {
    return this.inTurn(() => this.append(commands));
  }

  /**
   * Appends as {@link write} does. The ids of the events derive from the job and a name, so that
   * all workers of the job use the same ones. @throws RoverLeaseLost on a conflict.
   */
  writeDerived(name: string, ...commands: readonly RoverCommand[]): Promise<void> {
    const commandId = uuidv5('rover-append', this.current.rover_job_id, name);
    return this.inTurn(() => this.append(commands, commandId));
  }

  /** Stops renewals; resolves when no append runs. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.last;
  }

  /**
   * Releases the lease of a process that stops, so that another one continues at once. Renewals
   * must have ended. If the append fails, the lease runs out.
   * @throws errors of the append.
   */
  async release(worker: string): Promise<void> {
    await this.append([{ type: 'ReleaseRoverLease', data: { worker } }]);
  }

  private inTurn(append: () => Promise<void>): Promise<void> {
    const turn = this.last.then(() => {
      this.options.controller.signal.throwIfAborted();
      return append();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private renewIfDue(): void {
    const { clock, leaseMs, controller } = this.options;
    const step = runningStep(this.current);
    if (!step || clock.monotonic() - this.writtenAt < leaseMs / 3) return;
    this.writtenAt = clock.monotonic();
    const data = { step_id: step.step_id, attempt: step.attempt, details: {} };
    this.write({ type: 'ReportRoverStep', data }).catch((error: unknown) => {
      // A step that ended in the meantime needs no renewal.
      if (runningStep(this.current)?.step_id === step.step_id) controller.abort(error);
    });
  }

  private async append(commands: readonly RoverCommand[], derivedId?: string): Promise<void> {
    const { store, clock, executionId, cause, controller } = this.options;
    const events: RoverEvent[] = [];
    for (const command of commands) {
      const state = evolved(this.current, events);
      events.push(...roverDecider.decide(command, state));
    }
    if (events.length === 0) return;
    this.appends += 1;
    const proposed = proposeEvents(events, {
      commandId: derivedId ?? uuidv5('append', executionId, String(this.appends)),
      metadata: systemMetadata(cause, clock),
    });
    const stream = `rover-${this.current.rover_job_id}` as const;
    const target = { store, stream, deadline: clock.monotonic() + APPEND_DEADLINE_MS, clock };
    try {
      const { revision } = await appendSurely(target, proposed, this.revision);
      this.revision = revision;
    } catch (error) {
      // The stream may have more events than this worker knows, so it must be read again.
      const failure = isWrongExpectedRevision(error)
        ? new RoverLeaseLost(this.current.rover_job_id)
        : error;
      controller.abort(failure);
      throw failure;
    }
    this.writtenAt = clock.monotonic();
    const after = evolved(this.current, events);
    if (isOpenRoverJob(after)) this.current = after;
  }
}

function evolved(job: RoverState, events: readonly RoverEvent[]): RoverState {
  return events.reduce((state, event) => roverDecider.evolve(state, event), job);
}
