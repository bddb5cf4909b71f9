import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { jobDecider, type JobState } from '#domain';
import { EVENT_STORE, type EventStore, foldStream, type RecordedDomainEvent } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LiveSources } from '../sources/live-sources.js';
import { Signal } from '../streams/signal.js';
import { PROJECTION_WAIT_MS } from '../write/projected.js';
import { JobActivity } from './job-activity.js';

/** Interval between reads of a job without reported activity: a signal may be lost. */
const POLL_EVERY_MS = 1_000;

/** Observer of one read of the job's stream. */
export interface JobObserver<Result> {
  /** Receives each event of the job, oldest first. */
  readonly onEvent: (event: RecordedDomainEvent) => void;
  /**
   * Returns the result of the wait, or undefined to continue it. What it throws ends the wait.
   * @param msLeft milliseconds until the deadline; zero or less after it.
   */
  readonly resultOf: (job: JobState, msLeft: number) => Result | undefined;
}

export interface JobWaitOptions<Result> {
  /** Milliseconds of the monotonic clock. */
  readonly deadline: number;
  /** Called before each read: every read starts with a new observer. */
  readonly observe: () => JobObserver<Result>;
  /** Error at the deadline. */
  readonly timedOut: () => FootnoteError;
}

/** Waits for the end of jobs on behalf of requests. */
@Injectable()
export class JobWait {
  constructor(
    private readonly activity: JobActivity,
    private readonly liveSources: LiveSources,
    private readonly lifecycle: Lifecycle,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves with the first result. For a completed job, searches already see its content.
   * @throws FootnoteError `shutting_down`, the error of `timedOut`, or what `resultOf` throws.
   */
  async until<Result>(jobId: string, options: JobWaitOptions<Result>): Promise<Result> {
    const { deadline, timedOut } = options;
    const signal = new Signal(this.lifecycle.draining);
    const unsubscribe = this.activity.onActivity(jobId, () => signal.ring());
    try {
      for (;;) {
        const result = await this.look(jobId, options);
        if (result !== undefined) return result;
        if (this.lifecycle.draining.aborted) {
          throw new FootnoteError(
            'shutting_down',
            'The process is shutting down; repeat the request',
          );
        }
        const msLeft = deadline - this.clock.monotonic();
        if (msLeft <= 0) throw timedOut();
        await signal.wait(Math.min(POLL_EVERY_MS, msLeft));
      }
    } finally {
      unsubscribe();
    }
  }

  private async look<Result>(
    jobId: string,
    { deadline, observe }: JobWaitOptions<Result>,
  ): Promise<Result | undefined> {
    const { onEvent, resultOf } = observe();
    const { state, position } = await foldStream(this.store, jobDecider, `job-${jobId}`, {
      onEvent,
    });
    const result = resultOf(state, deadline - this.clock.monotonic());
    if (result !== undefined && state.status === 'completed' && position !== null) {
      await this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS);
    }
    return result;
  }
}
