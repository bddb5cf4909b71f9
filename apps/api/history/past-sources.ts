import { Inject, Injectable } from '@nestjs/common';

import type { Audience } from '#contracts';
import type { ListSourcesQuery, SourceList, SourceView } from '#contracts/http/index';
import { evolveOverview, OVERVIEW_EVENTS, type OverviewEvent, type SourceOverview } from '#domain';
import { readEvent } from '#event-store';
import { redactSourceEvent } from '#ingest/redact/redact-source-event';
import { type AuditRow, decidingSyncs, pastRecords, sourceView } from '#read-model';
import { isForTenant } from '#search';

import { AuditedEvents } from '../audit/audited-events.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { Moment } from './moments.js';

/**
 * Types of events that define a source. People cause most of them, and CI one for each uploaded
 * index, so a source has few.
 */
const DEFINING = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceHookSet',
  'SourceHookRemoved',
  'SourceScipUploaded',
  'SourceScipRemoved',
  'SourceRemoved',
] as const;

/** Sources whose states are read from the log at once. */
const SLICE = 100;

/** A source that was registered at a moment. */
interface RegisteredThen {
  readonly target: string;
  readonly sourceType: unknown;
  readonly defining: readonly AuditRow[];
}

/**
 * Returns sources as they were at a moment. The trail names the few events that decide the state of
 * a source. They are read from the log and folded like those of the read model.
 */
@Injectable()
export class PastSources {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly events: AuditedEvents,
  ) {}

  /** Returns a page of the tenant's sources, newest first. */
  async list(
    tenantId: string,
    { seq }: Moment,
    { skip, limit, source_type, status }: ListSourcesQuery,
  ): Promise<SourceList> {
    if (seq === null) return { sources: [], total: 0 };
    const records = await this.readModel.ask(pastRecords, tenantId, { seq, types: DEFINING });
    const all = registeredThen(records).filter(
      ({ sourceType }) => source_type === undefined || sourceType === source_type,
    );
    if (status === undefined) {
      const page = all.slice(skip, skip + limit);
      return { sources: await this.views(tenantId, seq, page), total: all.length };
    }
    const matching = (await this.views(tenantId, seq, all)).filter((v) => v.status === status);
    return { sources: matching.slice(skip, skip + limit), total: matching.length };
  }

  /** Returns a source with its list of URLs; undefined if the tenant did not have it. */
  async get(tenantId: string, { seq }: Moment, sourceId: string): Promise<SourceView | undefined> {
    if (seq === null) return undefined;
    const registered = registeredThen(await this.defining(tenantId, seq, sourceId));
    const [overview] = await this.overviews(tenantId, seq, registered);
    return overview && pastView(overview);
  }

  /** Returns whether the tenant ever had a source, removed ones included. */
  async existed(tenantId: string, { seq }: Moment, sourceId: string): Promise<boolean> {
    if (seq === null) return false;
    const [first] = await this.defining(tenantId, seq, sourceId);
    return first !== undefined && isShown(first);
  }

  private defining(tenantId: string, seq: number, sourceId: string): Promise<AuditRow[]> {
    const target = `source:${sourceId}`;
    return this.readModel.ask(pastRecords, tenantId, { seq, types: DEFINING, target });
  }

  private async views(
    tenantId: string,
    seq: number,
    sources: readonly RegisteredThen[],
  ): Promise<SourceView[]> {
    const views: SourceView[] = [];
    for (let from = 0; from < sources.length; from += SLICE) {
      const slice = sources.slice(from, from + SLICE);
      const overviews = await this.overviews(tenantId, seq, slice);
      views.push(...overviews.map((overview) => pastView({ ...overview, doc_urls: null })));
    }
    return views;
  }

  /** Returns the states of sources, in their order. */
  private async overviews(
    tenantId: string,
    seq: number,
    sources: readonly RegisteredThen[],
  ): Promise<SourceOverview[]> {
    const targets = sources.map(({ target }) => target);
    const syncs = await this.readModel.ask(decidingSyncs, tenantId, seq, targets);
    const rows = [...sources.flatMap(({ defining }) => defining), ...syncs];
    const audited = await this.events.of(rows.toSorted((a, b) => a.seq - b.seq));
    const states = new Map<string, SourceOverview>();
    for (const { event: recorded } of audited) {
      const event = readEvent(recorded);
      if (!event || !isOverviewEvent(event)) continue;
      const { source_id } = event.data;
      const state = evolveOverview(states.get(source_id), redactSourceEvent(event));
      if (state) states.set(source_id, state);
    }
    return targets.flatMap((target) => states.get(target.slice('source:'.length)) ?? []);
  }
}

/** Groups defining records by source: those registered and not removed, newest first. */
function registeredThen(records: readonly AuditRow[]): RegisteredThen[] {
  const bySource = Map.groupBy(records, ({ target }) => target ?? '');
  return [...bySource]
    .flatMap(([target, defining]) => {
      const [first] = defining;
      if (!first || !isShown(first)) return [];
      if (defining.some(({ type }) => type === 'SourceRemoved')) return [];
      const types = defining.flatMap((row) => changed(row, 'definition.source_type') ?? []);
      return [{ target, defining, sourceType: types.at(-1), seq: first.seq }];
    })
    .sort((a, b) => b.seq - a.seq);
}

/** Returns whether a source is for the whole tenant; others are of a conversation or a package. */
function isShown(first: AuditRow): boolean {
  const audience = changed(first, 'audience');
  return (
    first.type === 'SourceRegistered' && audience !== undefined && isForTenant(audience as Audience)
  );
}

/** Returns the value that a record gave to a field. */
function changed({ changes }: AuditRow, field: string): unknown {
  return changes?.find((change) => change.field === field)?.after ?? undefined;
}

function isOverviewEvent<Event extends { readonly type: string }>(
  event: Event,
): event is Event & OverviewEvent {
  return OVERVIEW_EVENTS.some((type) => type === event.type);
}

/** The message of a running job is not part of a past moment. */
function pastView(overview: SourceOverview): SourceView {
  return { ...sourceView(overview, new Map()), sync_message: null };
}
