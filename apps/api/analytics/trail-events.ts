import { Inject, Injectable } from '@nestjs/common';

import { type DomainEvent, type Receipt, validationFailed } from '#contracts';
import { type RecordedDomainEvent, upcast } from '#event-store';
import { TimeSlices } from '#platform';
import { type AuditRow, listAuditRecords } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Projected } from '../write/projected.js';
import type { TimeBuckets } from './time-buckets.js';

const PAGE = 500;
/** Events that an answer counts. */
const MAX_EVENTS = 200_000;

type EventType = DomainEvent['type'];
type EventOfType<Type extends EventType> = Extract<RecordedDomainEvent, { readonly type: Type }>;

/** A search of a period. */
export interface ReceiptedSearch {
  readonly row: AuditRow;
  readonly receipt: Receipt;
  /** The search's clock, ISO 8601; for a search as of the past, that moment. */
  readonly at: string;
}

/** Reads the events of a period from the audit trail, a page at a time. */
@Injectable()
export class TrailEvents {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
    private readonly projected: Projected,
  ) {}

  /** Returns the rows of the trail with these types, in pages, oldest first. */
  async *rows(
    tenantId: string,
    types: readonly EventType[],
    { from, to }: TimeBuckets,
  ): AsyncGenerator<readonly AuditRow[], void> {
    await this.projected.caughtUp('audit_records');
    const slices = new TimeSlices();
    let after = -1;
    for (let count = 0; ;) {
      const query = { filter: { types, from, to }, order: 'asc', after, limit: PAGE } as const;
      const rows = await this.readModel.ask(listAuditRecords, tenantId, query);
      count += rows.length;
      if (count > MAX_EVENTS) throw tooMany();
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.seq ?? after;
      await slices.pause();
    }
  }

  /** Returns the searches with a receipt, in pages, oldest first. */
  async *searches(
    tenantId: string,
    period: TimeBuckets,
  ): AsyncGenerator<readonly ReceiptedSearch[], void> {
    for await (const page of this.pages(tenantId, ['QuotaConsumed'], period))
      yield page.flatMap(({ row, event: { data, metadata } }) => {
        const { receipt } = data;
        return receipt ? [{ row, receipt, at: receipt.as_of?.at ?? metadata.occurred_at }] : [];
      });
  }

  /** Returns the events themselves, in pages, at their current version. */
  async *pages<Type extends EventType>(
    tenantId: string,
    types: readonly Type[],
    period: TimeBuckets,
  ): AsyncGenerator<
    readonly { readonly row: AuditRow; readonly event: EventOfType<Type> }[],
    void
  > {
    for await (const rows of this.rows(tenantId, types, period)) {
      const audited = await this.events.of(rows);
      yield audited.flatMap(({ row, event }) => {
        const read = upcast(event);
        return read.kind === 'known' ? [{ row, event: read.event as EventOfType<Type> }] : [];
      });
    }
  }
}

function tooMany() {
  const message = `must be later: the period has more than ${MAX_EVENTS} events to count`;
  return validationFailed([{ field: 'from', message }]);
}
