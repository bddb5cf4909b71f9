import { Inject, Injectable } from '@nestjs/common';

import type { AuditRecord } from '#audit';
import type { HistoryQuery } from '#contracts/http/index';
import { type AuditFilter, listAuditRecords } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Projected } from '../write/projected.js';
import { AuditViews } from './audit-views.js';

/** A page of the trail. */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** The seq to continue after; null at the end. */
  readonly next: number | null;
}

/** Reads pages of the trail for callers, and records each read. */
@Injectable()
export class AuditPages {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: AuditViews,
    private readonly projected: Projected,
    private readonly reads: RecordedReads,
  ) {}

  /** Returns a page of the caller's records that match. */
  async read(
    caller: Caller,
    filter: AuditFilter,
    { after, limit, order }: HistoryQuery,
  ): Promise<AuditPage> {
    const { tenantId } = caller;
    await this.reads.record(caller, { kind: 'audit_trail', filter: withoutTime(filter) });
    // Callers find what they just did.
    await this.projected.caughtUp('audit_records');
    const page = { filter, order, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const records = await this.views.of(tenantId, rows.slice(0, limit));
    return { records, next: rows.length > limit ? (records.at(-1)?.seq ?? null) : null };
  }
}

/** Returns the filter of a recorded read. Times are left out: a reader who polls moves them. */
function withoutTime(filter: AuditFilter): Readonly<Record<string, unknown>> {
  return { ...filter, from: undefined, to: undefined };
}
