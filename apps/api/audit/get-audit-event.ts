import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditEventView } from '#contracts/http/index';
import { getAuditRecord } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { AuditViews } from './audit-views.js';

/** Returns one record of the caller's trail. */
export class GetAuditEvent extends Query<AuditEventView> {
  constructor(
    readonly caller: Caller,
    readonly eventId: string,
  ) {
    super();
  }
}

@Handles(GetAuditEvent)
export class GetAuditEventHandler implements IQueryHandler<GetAuditEvent> {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: AuditViews,
  ) {}

  async execute({ caller: { tenantId }, eventId }: GetAuditEvent): Promise<AuditEventView> {
    const id = requireId('audit_event_not_found', eventId);
    const row = await this.readModel.ask(getAuditRecord, tenantId, id);
    const [view] = row ? await this.views.of(tenantId, [row]) : [];
    if (!view) throw notFound('audit_event_not_found', eventId);
    return view;
  }
}
