import { Inject, Injectable } from '@nestjs/common';

import { auditRecord, CompactRange, NO_LEAF, TILE_WIDTH } from '#audit';
import type { RecordedEvent } from '#contracts';
import type { TrailBreakView } from '#contracts/http/index';
import { EVENT_STORE, type EventStore, findEventsAt } from '#event-store';
import { TimeSlices } from '#platform';
import { type AuditRow, listAuditRecords, treeHashes } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../../engines/engines.js';

/** Records whose events are in memory at once. */
const BATCH = 250;

/** Checks records of the trail against the events of the log, which it reads again. */
@Injectable()
export class TrailSlice {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** Returns the first break among `count` records from a seq on, or null. */
  async firstBreak(tenantId: string, from: number, count: number): Promise<TrailBreakView | null> {
    const page = { filter: {}, order: 'asc', after: from - 1, limit: count } as const;
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const slices = new TimeSlices();
    for (let start = 0; start < count; start += BATCH) {
      const batch = rows.slice(start, Math.min(start + BATCH, count));
      const found = await findEventsAt(this.store, batch);
      for (let at = 0; at < Math.min(BATCH, count - start); at += 1) {
        const seq = from + start + at;
        const { place: row, event } = found[at] ?? {};
        if (row?.seq !== seq) return { seq, kind: 'seq' };
        if (event?.metadata.tenant_id !== tenantId) return { seq, kind: 'event' };
        const kind = differenceOf(row, event);
        if (kind) return { seq, kind };
        if (!(await this.subtreesMatch(tenantId, row))) return { seq, kind: 'subtree' };
        await slices.pause();
      }
    }
    return null;
  }

  /** Reports whether the stored hashes of complete subtrees are those of the level below. */
  private async subtreesMatch(tenantId: string, row: AuditRow): Promise<boolean> {
    let complete = 0;
    for (let width = TILE_WIDTH; (row.seq + 1) % width === 0; width *= TILE_WIDTH) complete += 1;
    const stored = row.subtrees ?? [];
    if (stored.length !== complete) return false;
    for (const [level, root] of stored.entries()) {
      const first = (row.seq + 1) / TILE_WIDTH ** level - TILE_WIDTH;
      const range = { level, first, count: TILE_WIDTH };
      const hashes = await this.readModel.ask(treeHashes, tenantId, range);
      if (rootOf(hashes) !== root) return false;
    }
    return true;
  }
}

/** Compares the hashed and the searchable columns of a row with its event. */
function differenceOf(row: AuditRow, event: RecordedEvent): 'hash' | 'record' | null {
  const prevHash =
    row.prev_hash === null ? NO_LEAF : Buffer.from(row.prev_hash, 'base64').toString('hex');
  const record = auditRecord(event, { seq: row.seq, prevHash, changes: [] });
  if (record.hash !== Buffer.from(row.hash, 'base64').toString('hex')) return 'hash';
  const [target = null, other = null] = record.targets.map(({ type, id }) => `${type}:${id}`);
  const { metadata } = event;
  const same =
    row.type === event.type &&
    row.actor_type === metadata.actor.type &&
    row.actor_id === metadata.actor.id &&
    row.target === target &&
    row.other_target === other &&
    row.request_id === (metadata.http?.request_id ?? null) &&
    Date.parse(row.occurred_at) === Date.parse(metadata.occurred_at);
  return same ? null : 'record';
}

function rootOf(hashes: Buffer): string {
  const range = CompactRange.empty();
  for (let at = 0; at < hashes.length; at += 32) range.append(hashes.subarray(at, at + 32));
  return range.root().toString('base64');
}
