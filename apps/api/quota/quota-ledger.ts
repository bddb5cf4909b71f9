import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import {
  eventDefinition,
  type EventMetadata,
  type ProposedEvent,
  type QuotaEvent,
  type QuotaMetric,
  type StreamName,
} from '#contracts';
import { quotaDecider, type ConsumeQuota } from '#domain';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, eventId, revisionId, withTimeout, type Clock } from '#platform';

import type { Caller } from '../auth/caller.js';
import { BatchAppender, type Appended } from './batch-appender.js';

/** How long a charge may wait for the store. */
const DEADLINE_MS = 5_000;
/** A store that does not even say that it is late is given up on after this. */
const GIVE_UP_MS = 15_000;
/** Streams whose ends are remembered. */
const KNOWN_STREAMS = 10_000;

/** Something metered that was done. */
export interface Charge {
  readonly caller: Caller;
  readonly metric: QuotaMetric;
  /** When it was done, milliseconds since the epoch. */
  readonly at: number;
  /** What is recorded of it; made once the id is known, and again with another id after a conflict. */
  readonly consumption: (stream: StreamName, consumptionId: string) => Promise<Omit<ConsumeQuota['data'], 'metric'>>;
}

/** The stream of one metric of a tenant. */
export function quotaStream(tenantId: string, metric: QuotaMetric): StreamName {
  return `quota-${tenantId}-${metric}`;
}

/** Charges what was done to the tenant's quota: many charges of a moment share one append. */
@Injectable()
export class QuotaLedger {
  private readonly appenders = new LRUCache<StreamName, BatchAppender>({ max: KNOWN_STREAMS });

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the charge is stored. Its id tells its revision in the stream (`revisionOf`).
   * @throws FootnoteError `engine_unavailable` or `storage_full`: the work must not be answered then
   */
  charge({ caller, metric, at, consumption }: Charge): Promise<Appended> {
    const stream = quotaStream(caller.tenantId, metric);
    const appender = this.appenders.get(stream) ?? new BatchAppender(this.store, stream, this.clock);
    // Where one is let go of while it is busy, two write to the stream for a moment: a conflict, and it is read again.
    this.appenders.set(stream, appender);
    const eventsAt = async (revision: bigint): Promise<ProposedEvent[]> => {
      const id = revisionId(at, revision);
      const data = { metric, ...(await consumption(stream, id)) };
      // No decision looks at what was used before, so that no history has to be read.
      const events = quotaDecider.decide({ type: 'ConsumeQuota', data }, quotaDecider.initial);
      return events.map((event, index) => proposed(event, index === 0 ? id : eventId(id, index), caller, at));
    };
    const appended = appender.add(eventsAt, this.clock.monotonic() + DEADLINE_MS);
    return withTimeout(appended, GIVE_UP_MS, 'The event log did not answer');
  }
}

function proposed({ type, data }: QuotaEvent, id: string, caller: Caller, at: number): ProposedEvent {
  const metadata: EventMetadata = {
    tenant_id: caller.tenantId,
    actor: caller.actor,
    correlation_id: caller.requestId,
    causation_id: caller.requestId,
    schema_version: eventDefinition(type)?.version ?? 1,
    occurred_at: new Date(at).toISOString(),
    http: caller.http,
  };
  return { id, type, data, metadata };
}
