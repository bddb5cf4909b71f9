import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

import { NO_LEAF, TILE_WIDTH, tileAt, type TileContent, TileWriter } from '#audit';
import {
  type AuditHead,
  auditHeads,
  auditRecordsTable,
  treeHashes,
  versionTable,
} from '#read-model';

/** The end of a tenant's trail, with the tree that the next record extends. */
export interface TrailEnd {
  readonly tree: TileWriter;
  /** Leaf hash of the last record, hex; 64 zeros for an empty trail. */
  hash: string;
  /** Recorded time of the last record, ISO 8601; empty for an empty trail. */
  recordedAt: string;
}

/** Trails whose ends stay in memory, at most 25 KB each. */
const MAX_ENDS = 1_000;

/**
 * Ends of the trails of one version of the audit records. They are what the rows say as long as
 * every batch that used them was committed; {@link forget} them otherwise.
 */
export class AuditHeads {
  private readonly ends = new LRUCache<string, TrailEnd>({ max: MAX_ENDS });
  private readonly table: string;

  constructor(version: number) {
    this.table = versionTable(auditRecordsTable, version);
  }

  /** Returns the ends of trails, by tenant; loads those that are not in memory. */
  async of(manager: EntityManager, tenantIds: ReadonlySet<string>): Promise<Map<string, TrailEnd>> {
    const ends = new Map<string, TrailEnd>();
    const missing: string[] = [];
    for (const tenantId of tenantIds) {
      const end = this.ends.get(tenantId);
      if (end) ends.set(tenantId, end);
      else missing.push(tenantId);
    }
    if (missing.length === 0) return ends;
    const heads = await auditHeads(manager, missing, this.table);
    for (const tenantId of missing) {
      const end = await this.load(manager, tenantId, heads.get(tenantId));
      ends.set(tenantId, end);
      this.ends.set(tenantId, end);
    }
    return ends;
  }

  /** Discards all ends: rows may differ from them. */
  forget(): void {
    this.ends.clear();
  }

  private async load(
    manager: EntityManager,
    tenantId: string,
    head: AuditHead | undefined,
  ): Promise<TrailEnd> {
    if (!head) return { tree: TileWriter.empty(), hash: NO_LEAF, recordedAt: '' };
    const partials: TileContent[] = [];
    for (let level = 0; TILE_WIDTH ** level <= head.size; level += 1) {
      const full = Math.floor(head.size / TILE_WIDTH ** (level + 1));
      const tile = tileAt(level, full, head.size);
      if (!tile) continue;
      const range = { level, first: full * TILE_WIDTH, count: tile.width };
      partials.push({ ...tile, hashes: await treeHashes(manager, tenantId, range, this.table) });
    }
    return {
      tree: TileWriter.of(head.size, partials),
      hash: Buffer.from(head.hash, 'base64').toString('hex'),
      recordedAt: head.recorded_at,
    };
  }
}
