import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import type { Tracer } from '#platform';

import type { Reactor } from '../reactor/reactor.types.js';

const ENDS = ['JobCompleted', 'JobFailed', 'JobCancelled'] as const;

/** Jobs whose request is remembered; a job beyond them has a root span without duration. */
const MAX_OPEN = 100_000;

/**
 * Records the root span of each job that ends while this process leads, from its request to its
 * end. The stages, run by any process, are its children.
 */
export class JobTraces implements Reactor {
  readonly name = 'job-traces';
  readonly eventTypes: readonly DomainEvent['type'][] = [];
  readonly liveEventTypes = ['JobRequested', ...ENDS] as const;
  private readonly requested = new Map<string, Date>();

  /** @param leads reports whether this process leads. */
  constructor(
    private readonly tracer: Tracer,
    private readonly leads: () => boolean,
  ) {}

  apply(event: RecordedDomainEvent): boolean {
    if (event.type === 'JobRequested') {
      if (this.requested.size < MAX_OPEN)
        this.requested.set(event.data.job_id, new Date(event.metadata.occurred_at));
    } else if (isEnd(event)) {
      this.record(event);
    }
    return false;
  }

  private record(event: Extract<RecordedDomainEvent, { type: (typeof ENDS)[number] }>): void {
    const { job_id } = event.data;
    const to = new Date(event.metadata.occurred_at);
    const from = this.requested.get(job_id) ?? to;
    this.requested.delete(job_id);
    if (!this.leads()) return;
    const { tenant_id, correlation_id } = event.metadata;
    this.tracer.recordJob({
      jobId: job_id,
      from,
      to,
      failed: event.type === 'JobFailed',
      attributes: {
        'footnote.tenant_id': tenant_id,
        'footnote.job_id': job_id,
        'footnote.correlation_id': correlation_id,
        'footnote.outcome': event.type,
      },
    });
  }
}

function isEnd(
  event: RecordedDomainEvent,
): event is Extract<RecordedDomainEvent, { type: (typeof ENDS)[number] }> {
  return (ENDS as readonly string[]).includes(event.type);
}
