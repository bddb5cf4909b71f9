import { Inject, Injectable } from '@nestjs/common';

import { type FailureDetails, FootnoteError, packageProblemOf } from '#contracts';
import type { JobState } from '#domain';
import { CLOCK, type Clock } from '#platform';

import { type JobObserver, JobWait } from '../jobs/job-wait.js';
import { jobFailure } from './package-problem.js';

/** Waits for the jobs that index packages. */
@Injectable()
export class PackageJobs {
  constructor(
    private readonly jobs: JobWait,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the job has published the package and searches see it.
   * @param deadline milliseconds of the monotonic clock.
   * @throws FootnoteError the failure of the job, at once if its next attempt comes after the
   * deadline; `package_timeout` at the deadline; `shutting_down`.
   */
  async published(jobId: string, deadline: number): Promise<void> {
    await this.jobs.until(jobId, { deadline, observe: () => this.observer(), timedOut });
  }

  private observer(): JobObserver<true> {
    let failure: { readonly message: string; readonly details: FailureDetails | null } | undefined;
    return {
      onEvent: ({ type, data }) => {
        if (type === 'JobStageFailed')
          failure = { message: data.error_message, details: data.error_details };
      },
      resultOf: (job, msLeft) => {
        if (job.status === 'completed') return true;
        if (job.status === 'failed') throw jobFailure(job.error_message, job.error_details);
        if (job.status === 'cancelled') {
          throw new FootnoteError(
            'concurrent_change',
            'The package was removed during the request; repeat the request',
            { retryAfter: 1 },
          );
        }
        // Only a failure with a known cause is an answer; any other may pass before the deadline.
        if (failure && packageProblemOf(failure.details) && this.msToRetry(job) > msLeft) {
          throw jobFailure(failure.message, failure.details);
        }
        return undefined;
      },
    };
  }

  /** Milliseconds until the next attempt of the job; -Infinity if none is scheduled. */
  private msToRetry(job: JobState): number {
    if (job.status !== 'running' && job.status !== 'pending') return -Infinity;
    return job.work.kind === 'waiting'
      ? Date.parse(job.work.retry_at) - this.clock.now().getTime()
      : -Infinity;
  }
}

function timedOut(): FootnoteError {
  return new FootnoteError(
    'package_timeout',
    'The package is not indexed yet; its job continues, and a later search can use it',
    { retryAfter: 5 },
  );
}
