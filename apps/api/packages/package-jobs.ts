import { Inject, Injectable } from '@nestjs/common';

import { type FailureDetails, FootnoteError, packageProblemOf } from '#contracts';
import { jobDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import { JobActivity } from '../jobs/job-activity.js';
import { Wakeup } from '../jobs/wakeup.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LiveSources } from '../sources/live-sources.js';
import { PROJECTION_WAIT_MS } from '../write/projected.js';
import { jobFailure } from './package-problem.js';

/** Between two looks at a job of which nothing was heard: a signal may be lost. */
const LOOK_EVERY_MS = 1_000;

/** Waits for the jobs that index packages. */
@Injectable()
export class PackageJobs {
  constructor(
    private readonly activity: JobActivity,
    private readonly liveSources: LiveSources,
    private readonly lifecycle: Lifecycle,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the job has published the package and searches see it.
   * @param deadline milliseconds of the monotonic clock.
   * @throws FootnoteError what the job failed with, at once where its next attempt comes after the
   * deadline; `package_timeout` at the deadline; `shutting_down`.
   */
  async published(jobId: string, deadline: number): Promise<void> {
    const wakeup = new Wakeup(this.lifecycle.draining);
    const unsubscribe = this.activity.onActivity(jobId, () => wakeup.ring());
    try {
      for (;;) {
        if (await this.isPublished(jobId, deadline)) return;
        if (this.lifecycle.draining.aborted) {
          throw new FootnoteError(
            'shutting_down',
            'The process is shutting down; repeat the request',
          );
        }
        await wakeup.wait(Math.min(LOOK_EVERY_MS, Math.max(1, deadline - this.clock.monotonic())));
      }
    } finally {
      unsubscribe();
    }
  }

  private async isPublished(jobId: string, deadline: number): Promise<boolean> {
    let failure: { readonly message: string; readonly details: FailureDetails | null } | undefined;
    const { state: job, position } = await foldStream(this.store, jobDecider, `job-${jobId}`, {
      onEvent: ({ type, data }) => {
        if (type === 'JobStageFailed')
          failure = { message: data.error_message, details: data.error_details };
      },
    });
    const left = deadline - this.clock.monotonic();
    switch (job.status) {
      case 'completed':
        if (position !== null)
          await this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS);
        return true;
      case 'failed':
        throw jobFailure(job.error_message, job.error_details);
      case 'cancelled':
        throw new FootnoteError(
          'concurrent_change',
          'The package was dropped meanwhile; repeat the request.',
          {
            retryAfter: 1,
          },
        );
      default:
        break;
    }
    const retryAt =
      job.status !== 'absent' && job.work.kind === 'waiting' ? Date.parse(job.work.retry_at) : null;
    const retryInMs = retryAt === null ? 0 : retryAt - this.clock.now().getTime();
    // Only a failure that says why is an answer; any other may pass before the time is up.
    if (failure && packageProblemOf(failure.details) && retryAt !== null && retryInMs > left) {
      throw jobFailure(failure.message, failure.details);
    }
    if (left <= 0) {
      throw new FootnoteError(
        'package_timeout',
        'The package is not indexed yet; that goes on, and a later search finds it.',
        { retryAfter: 5 },
      );
    }
    return false;
  }
}
