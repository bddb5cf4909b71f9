import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type {
  AuditEventView,
  HistoryQuery,
  SourceHistoryEntryView,
  SourceHistoryList,
} from '#contracts/http/index';
import { OVERVIEW_EVENTS } from '#domain';

import { AuditPages } from '../audit/audit-pages.js';
import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { historyEntry } from '../history/history-entry.js';
import { Moments } from '../history/moments.js';
import { PastSources } from '../history/past-sources.js';
import { Handles } from '../use-cases/handles.js';

/** Types of events that change a source or its content; others report progress. */
const SHOWN = [...OVERVIEW_EVENTS, 'GenerationDropped'] as const;

/** Returns who changed a source, when and from what; removed sources included. */
export class GetSourceHistory extends Query<SourceHistoryList> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
    readonly query: HistoryQuery,
  ) {
    super();
  }
}

@Handles(GetSourceHistory)
export class GetSourceHistoryHandler implements IQueryHandler<GetSourceHistory> {
  constructor(
    private readonly pages: AuditPages,
    private readonly moments: Moments,
    private readonly past: PastSources,
  ) {}

  async execute({ caller, sourceId, query }: GetSourceHistory): Promise<SourceHistoryList> {
    const id = requireId('source_not_found', sourceId);
    const now = await this.moments.at(caller.tenantId, {});
    if (!(await this.past.existed(caller.tenantId, now, id)))
      throw notFound('source_not_found', sourceId);
    const filter = { types: SHOWN, target: `source:${id}` };
    const { records, next } = await this.pages.read(caller, filter, query);
    return { entries: records.map(entryOf), next };
  }
}

function entryOf(record: AuditEventView): SourceHistoryEntryView {
  const { generation, version_ref, job_id } = record.data;
  return {
    ...historyEntry(record),
    generation: typeof generation === 'number' ? generation : null,
    version_ref: typeof version_ref === 'string' ? version_ref : null,
    job_id: typeof job_id === 'string' ? job_id : null,
  };
}
