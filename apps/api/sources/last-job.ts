import { Inject, Injectable } from '@nestjs/common';

import { isOpen, jobDecider, type JobState } from '#domain';
import { EVENT_STORE, type EventStore, foldStream } from '#event-store';

/** The last job of a source, as its stream shows. */
export interface LastJob {
  readonly state: JobState;
  /** A job whose stream is still empty counts as open: its first event is on the way. */
  readonly open: boolean;
  /** Time when the log recorded its newest event; null without events. */
  readonly changedAt: Date | null;
}

@Injectable()
export class LastJobs {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @param jobId what the source names as its last job, or null when it never had one. */
  async of(jobId: string | null): Promise<LastJob> {
    if (jobId === null) return { state: jobDecider.initial, open: false, changedAt: null };
    let changedAt: Date | null = null;
    const { state } = await foldStream(this.store, jobDecider, `job-${jobId}`, {
      onEvent: ({ recordedAt }) => (changedAt = recordedAt),
    });
    return { state, open: state.status === 'absent' || isOpen(state), changedAt };
  }
}
