import { Inject, Injectable } from '@nestjs/common';

import type { AuditEventView, HistoryEntryView, HistoryQuery } from '#contracts/http/index';
import { type AuditFilter, listAuditRecords } from '#read-model';

import { AuditViews } from '../audit/audit-views.js';
import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Projected } from '../write/projected.js';

/** Returns histories of resources: parts of the audit trail, without its hashes. */
@Injectable()
export class Histories {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: AuditViews,
    private readonly projected: Projected,
    private readonly reads: RecordedReads,
  ) {}

  /**
   * Returns a page of the records that match, each as `entryOf` shows it; records the read as one
   * of the trail.
   */
  async page<Entry>(
    caller: Caller,
    filter: AuditFilter,
    { after, limit, order }: HistoryQuery,
    entryOf: (record: AuditEventView) => Entry,
  ): Promise<{ readonly entries: readonly Entry[]; readonly next: number | null }> {
    const { tenantId } = caller;
    await this.reads.record(caller, { kind: 'audit_trail', filter: { ...filter } });
    // Callers find what they just did.
    await this.projected.caughtUp('audit_records');
    const page = { filter, order, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const shown = await this.views.of(tenantId, rows.slice(0, limit));
    return {
      entries: shown.map(entryOf),
      next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
    };
  }
}

/** Returns a record of the trail as an entry of a history. */
export function historyEntry(record: AuditEventView): HistoryEntryView {
  const { seq, id, action, revision, occurred_at, recorded_at, actor, changes, context } = record;
  const request_id = context?.request_id ?? null;
  return { seq, id, action, revision, occurred_at, recorded_at, actor, request_id, changes };
}
