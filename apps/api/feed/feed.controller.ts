import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import { FeedEventPage, ListFeedEventsQuery } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ListFeedEvents } from './list-feed-events.js';

@ApiTags('audit')
@Controller('events')
@NeedsScope('audit')
export class FeedController {
  constructor(private readonly queries: QueryBus) {}

  /** Returns events of the tenant as CloudEvents, oldest first. */
  @Get()
  @Problems('scope_missing')
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListFeedEventsQuery,
  ): Promise<FeedEventPage> {
    return this.queries.execute(new ListFeedEvents(caller, query));
  }
}
