import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditEventList, ListAuditEventsQuery } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { auditFilter } from './audit-filter.js';
import { AuditPages } from './audit-pages.js';

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
  constructor(private readonly pages: AuditPages) {}

  async execute({ caller, query }: ListAuditEvents): Promise<AuditEventList> {
    const { records, next } = await this.pages.read(caller, auditFilter(query), query);
    return { events: records, next };
  }
}
