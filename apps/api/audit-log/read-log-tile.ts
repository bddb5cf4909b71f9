import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import {
  auditRecord,
  leafContent,
  leafOf,
  NO_LEAF,
  parseTilePath,
  type Tile,
  TILE_WIDTH,
  tileAt,
} from '#audit';
import { FootnoteError } from '#contracts';
import { listAuditRecords, treeHashes } from '#read-model';
import { AuditTrees } from '#transparency';

import { AuditedEvents } from '../audit/audited-events.js';
import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { RecordedReads } from '../recorded-reads/recorded-reads.js';
import { Handles } from '../use-cases/handles.js';

/** Reads a tile of the tenant's tree (C2SP `tlog-tiles`), below `tile/`. */
export class ReadLogTile extends Query<Buffer> {
  constructor(
    readonly caller: Caller,
    /** `<level>/<index>[.p/<width>]`, or `entries/<index>[.p/<width>]`. */
    readonly path: string,
  ) {
    super();
  }
}

const ENTRIES = 'entries/';

@Handles(ReadLogTile)
export class ReadLogTileHandler implements IQueryHandler<ReadLogTile> {
  constructor(
    private readonly trees: AuditTrees,
    private readonly events: AuditedEvents,
    private readonly reads: RecordedReads,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** @throws FootnoteError `not_found` for a path that no tile of the tree has. */
  async execute({ caller, path }: ReadLogTile): Promise<Buffer> {
    const { tenantId } = caller;
    const isEntries = path.startsWith(ENTRIES);
    const tile = parseTilePath(isEntries ? `0/${path.slice(ENTRIES.length)}` : path);
    if (!tile) throw notFound();
    const { size } = await this.trees.newest(tenantId);
    const newest = tileAt(tile.level, tile.index, size);
    if (!newest || tile.width > newest.width) throw notFound();
    if (!isEntries) return this.hashes(tenantId, tile);
    // Entries show actors and streams, as pages of the trail do; hashes show nothing.
    await this.reads.record(caller, { kind: 'audit_trail', filter: { entries: true } });
    return this.entries(tenantId, tile);
  }

  private async hashes(tenantId: string, { level, index, width }: Tile): Promise<Buffer> {
    const range = { level, first: index * TILE_WIDTH, count: width };
    return this.readModel.ask(treeHashes, tenantId, range);
  }

  /** Returns the contents of leaves, each after its length in 16 bits. */
  private async entries(tenantId: string, { index, width }: Tile): Promise<Buffer> {
    const after = index * TILE_WIDTH - 1;
    const page = { filter: {}, order: 'asc', after, limit: width } as const;
    const rows = await this.readModel.ask(listAuditRecords, tenantId, page);
    const parts = (await this.events.of(rows)).flatMap(({ row, event }) => {
      const prevHash =
        row.prev_hash === null ? NO_LEAF : Buffer.from(row.prev_hash, 'base64').toString('hex');
      const record = auditRecord(event, { seq: row.seq, prevHash, changes: [] });
      const content = Buffer.from(leafContent(leafOf(record)));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(content.length);
      return [length, content];
    });
    return Buffer.concat(parts);
  }
}

function notFound(): FootnoteError {
  return new FootnoteError('not_found', 'Tile not found');
}
