import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { toTenantCloudEvent } from '#contracts';
import type { FeedEventPage, ListFeedEventsQuery } from '#contracts/http/index';
import { EVENT_STORE, type EventStore } from '#event-store';
import { listAuditRecords } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { Projected } from '../write/projected.js';
import { feedTypes } from './feed-types.js';

/** Returns a page of the caller's event feed. */
export class ListFeedEvents extends Query<FeedEventPage> {
  constructor(
    readonly caller: Caller,
    readonly query: ListFeedEventsQuery,
  ) {
    super();
  }
}

@Handles(ListFeedEvents)
export class ListFeedEventsHandler implements IQueryHandler<ListFeedEvents> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
    private readonly projected: Projected,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ caller: { tenantId }, query }: ListFeedEvents): Promise<FeedEventPage> {
    const { after, limit } = query;
    const types = feedTypes(query.types);
    // Callers find what they just did.
    await this.projected.reached('audit_records', await this.store.head());
    const rows = await this.readModel.ask(listAuditRecords, tenantId, {
      filter: types ? { types } : {},
      order: 'asc',
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    });
    const audited = await this.events.of(rows.slice(0, limit));
    return {
      events: audited.map(({ row, event }) => toTenantCloudEvent(event, row.seq)),
      next: audited.at(-1)?.row.seq ?? after ?? null,
      has_more: rows.length > limit,
    };
  }
}
