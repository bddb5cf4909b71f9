import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditEventList, ListAuditEventsQuery } from '#contracts/http/index';
import { EVENT_STORE, type EventStore } from '#event-store';
import { listAuditRecords } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
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
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ caller: { tenantId }, query }: ListAuditEvents): Promise<AuditEventList> {
    const { after, limit, order } = query;
    // Callers find what they just did.
    await this.projected.reached('audit_records', await this.store.head());
    const filter = auditFilter(query);
    const page = { filter, order, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const shown = rows.slice(0, limit);
    return {
      events: await this.views.of(tenantId, shown),
      next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
    };
  }
}
