import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditEventList, ListAuditEventsQuery } from '#contracts/http/index';
import { type AuditFilter, listAuditRecords } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';
import { Projected } from '../write/projected.js';
import { auditFilter } from './audit-filter.js';
import { AuditViews } from './audit-views.js';

/** Returns a page of the caller's trail. */
export class ListAuditEvents extends Query<AuditEventList> {
  constructor(
    readonly caller: Caller,
    readonly query: ListAuditEventsQuery,
  ) {
    super();
  }
}

@Handles(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: AuditViews,
    private readonly projected: Projected,
    private readonly reads: RecordedReads,
  ) {}

  async execute({ caller, query }: ListAuditEvents): Promise<AuditEventList> {
    const { tenantId } = caller;
    const { after, limit, order } = query;
    const filter = auditFilter(query);
    await this.reads.record(caller, { kind: 'audit_trail', filter: withoutTime(filter) });
    // Callers find what they just did.
    await this.projected.caughtUp('audit_records');
    const page = { filter, order, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const shown = rows.slice(0, limit);
    return {
      events: await this.views.of(tenantId, shown),
      next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
    };
  }
}

/** Returns the filter of a recorded read. Times are left out: a reader who polls moves them. */
function withoutTime(filter: AuditFilter): Readonly<Record<string, unknown>> {
  return { ...filter, from: undefined, to: undefined };
}
