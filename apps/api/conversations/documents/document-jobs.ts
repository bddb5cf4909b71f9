import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError, validationFailed } from '#contracts';
import { CLOCK, type Clock } from '#platform';

import { TenantConcurrency } from '../../edge/tenant-concurrency.js';
import { type JobObserver, JobWait } from '../../jobs/job-wait.js';

/** Below the minute after which proxies commonly close a request. */
const WAIT_MS = 55_000;

/** Size of an indexed document. */
export interface IndexedDocument {
  readonly pages: number;
  readonly chunks: number;
}

/** Limit of uploads that wait for their document: each holds a connection open. */
@Injectable()
export class WaitingUploads extends TenantConcurrency {
  constructor() {
    super({ perTenant: 20, inAll: 200, refusal: 'Too many uploads wait to be indexed' });
  }
}

/** Waits for the jobs that index documents of conversations. */
@Injectable()
export class DocumentJobs {
  constructor(
    private readonly jobs: JobWait,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when searches see the document.
   * @throws FootnoteError `validation_failed` if it cannot be read, `upload_timeout`,
   * `shutting_down`, `conversation_not_found` if it was removed during the wait.
   */
  async indexed(jobId: string): Promise<IndexedDocument> {
    const deadline = this.clock.monotonic() + WAIT_MS;
    return this.jobs.until(jobId, { deadline, observe: observer, timedOut });
  }
}

function observer(): JobObserver<IndexedDocument> {
  let [pages, chunks] = [0, 0];
  return {
    onEvent: ({ type, data }) => {
      if (type === 'JobStageAdvanced') pages = data.stage_details['pages_parsed'] ?? pages;
      if (type === 'JobCompleted') chunks = data.chunk_count;
    },
    resultOf: (job) => {
      if (job.status === 'failed')
        throw validationFailed([
          { field: 'file', message: `cannot be read: ${job.error_message}` },
        ]);
      if (job.status === 'cancelled') {
        throw new FootnoteError(
          'conversation_not_found',
          'The conversation was deleted during the request',
        );
      }
      return job.status === 'completed' ? { pages, chunks } : undefined;
    },
  };
}

function timedOut(): FootnoteError {
  return new FootnoteError(
    'upload_timeout',
    'The document is not indexed yet; its job continues, and later turns can use it',
  );
}
