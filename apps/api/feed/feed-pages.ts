import { Inject, Injectable } from '@nestjs/common';

import { type CloudEvent, type Position, toTenantCloudEvent } from '#contracts';
import { listAuditRecords } from '#read-model';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Projected } from '../write/projected.js';

export interface FeedPageRequest {
  /** Events past this seq; undefined from the first event on. */
  readonly after: number | undefined;
  readonly limit: number;
  /** Undefined for all types. */
  readonly types: readonly string[] | undefined;
}

/** An event of the feed with the tenant's seq. */
export interface FeedEvent {
  readonly seq: number;
  readonly event: CloudEvent;
}

export interface FeedPageContent {
  readonly events: readonly FeedEvent[];
  readonly hasMore: boolean;
}

/** Reads the feed of a tenant from the rows of the audit trail, and its events from the log. */
@Injectable()
export class FeedPages {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
    private readonly projected: Projected,
  ) {}

  /** Waits until the feed has the events up to a position. @returns false if they are late. */
  reached(position: Position | null): Promise<boolean> {
    return this.projected.reached('audit_records', position);
  }

  /** Returns the next events of a tenant, oldest first. */
  async read(tenantId: string, { after, limit, types }: FeedPageRequest): Promise<FeedPageContent> {
    const rows = await this.readModel.ask(listAuditRecords, tenantId, {
      filter: types ? { types } : {},
      order: 'asc',
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    });
    const audited = await this.events.of(rows.slice(0, limit));
    return {
      events: audited.map(({ row: { seq }, event }) => ({
        seq,
        event: toTenantCloudEvent(event, seq),
      })),
      hasMore: rows.length > limit,
    };
  }
}
