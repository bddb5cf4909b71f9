import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditEventView } from '#contracts/http/index';
import { getAuditRecord } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
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
    private readonly reads: RecordedReads,
  ) {}

  async execute({ caller, eventId }: GetAuditEvent): Promise<AuditEventView> {
    const { tenantId } = caller;
    const id = requireId('audit_event_not_found', eventId);
    const row = await this.readModel.ask(getAuditRecord, tenantId, id);
    const [view] = row ? await this.views.of(tenantId, [row]) : [];
    if (!view) throw notFound('audit_event_not_found', eventId);
    // A reader who fetches each record of the trail would add records without end.
    const filter = view.type === 'AuditTrailRead' ? { type: view.type } : { event_id: id };
    await this.reads.record(caller, { kind: 'audit_trail', filter });
    return view;
  }
}
