import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import { AuditEventList, AuditEventView, ListAuditEventsQuery } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { GetAuditEvent } from './get-audit-event.js';
import { ListAuditEvents } from './list-audit-events.js';

@ApiTags('audit')
@Controller('audit')
@NeedsScope('audit')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the events of the tenant as audit records. */
  @Get('events')
  @Problems('scope_missing')
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListAuditEventsQuery,
  ): Promise<AuditEventList> {
    return this.queries.execute(new ListAuditEvents(caller, query));
  }

  /** Returns one audit record by the id of its event. */
  @Get('events/:event_id')
  @Problems('scope_missing', 'audit_event_not_found')
  get(
    @CurrentCaller() caller: Caller,
    @Param('event_id') eventId: string,
  ): Promise<AuditEventView> {
    return this.queries.execute(new GetAuditEvent(caller, eventId));
  }
}
