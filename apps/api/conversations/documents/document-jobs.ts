import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { jobDecider } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import { validationFailed } from '../../edge/strict-validation.pipe.js';
import { TenantSlots } from '../../edge/tenant-slots.js';
import { JobActivity } from '../../jobs/job-activity.js';
import { Wakeup } from '../../jobs/wakeup.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LiveSources } from '../../sources/live-sources.js';
import { PROJECTION_WAIT_MS } from '../../write/projected.js';

/** Below the minute after which proxies commonly close a request. */
const WAIT_MS = 55_000;
/** Between two looks at a job of which nothing was heard: a signal may be lost. */
const LOOK_EVERY_MS = 1_000;

/** What an indexed document has. */
export interface IndexedDocument {
  readonly pages: number;
  readonly chunks: number;
}

/** Uploads that wait for their document to be indexed: each holds a connection until it is. */
@Injectable()
export class WaitingUploads extends TenantSlots {
  constructor() {
    super({ perTenant: 20, inAll: 200, refusal: 'Too many uploads wait to be indexed' });
  }
}

/** Waits for the jobs that index documents of conversations. */
@Injectable()
export class DocumentJobs {
  constructor(
    private readonly activity: JobActivity,
    private readonly liveSources: LiveSources,
    private readonly lifecycle: Lifecycle,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when searches see the document.
   * @throws FootnoteError `validation_failed` where it cannot be read, `upload_timeout`,
   * `shutting_down`, `conversation_not_found` where it was removed meanwhile.
   */
  async indexed(jobId: string): Promise<IndexedDocument> {
    const deadline = this.clock.monotonic() + WAIT_MS;
    const wakeup = new Wakeup(this.lifecycle.draining);
    const unsubscribe = this.activity.onActivity(jobId, () => wakeup.ring());
    try {
      for (;;) {
        const indexed = await this.look(jobId);
        if (indexed) return indexed;
        if (this.lifecycle.draining.aborted) {
          throw new FootnoteError(
            'shutting_down',
            'The process is shutting down; repeat the request',
          );
        }
        const left = deadline - this.clock.monotonic();
        if (left <= 0) {
          throw new FootnoteError(
            'upload_timeout',
            'The document is not indexed yet; that goes on, and later turns find it',
          );
        }
        await wakeup.wait(Math.min(LOOK_EVERY_MS, left));
      }
    } finally {
      unsubscribe();
    }
  }

  private async look(jobId: string): Promise<IndexedDocument | null> {
    let [pages, chunks] = [0, 0];
    const { state, position } = await foldStream(this.store, jobDecider, `job-${jobId}`, {
      onEvent: ({ type, data }) => {
        if (type === 'JobStageAdvanced') pages = data.stage_details['pages_parsed'] ?? pages;
        if (type === 'JobCompleted') chunks = data.chunk_count;
      },
    });
    if (state.status === 'failed')
      throw validationFailed([
        { field: 'file', message: `cannot be read: ${state.error_message}` },
      ]);
    if (state.status === 'cancelled') {
      throw new FootnoteError('conversation_not_found', 'The conversation was deleted meanwhile');
    }
    if (state.status !== 'completed') return null;
    if (position !== null) await this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS);
    return { pages, chunks };
  }
}
