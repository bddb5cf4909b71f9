import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { FeedEventPage, ListFeedEventsQuery } from '#contracts/http/index';
import { EVENT_STORE, type EventStore } from '#event-store';

import type { Caller } from '../auth/caller.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';
import { FeedPages } from './feed-pages.js';
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
    private readonly pages: FeedPages,
    private readonly reads: RecordedReads,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ caller, query }: ListFeedEvents): Promise<FeedEventPage> {
    const { after, limit } = query;
    const types = feedTypes(query.types);
    await this.reads.record(caller, { kind: 'audit_trail', filter: { feed: true, types } });
    // Callers find what they just did.
    await this.pages.reached(await this.store.head());
    const { events, hasMore } = await this.pages.read(caller.tenantId, { after, limit, types });
    return {
      events: events.map(({ event }) => event),
      next: events.at(-1)?.seq ?? after ?? null,
      has_more: hasMore,
    };
  }
}
