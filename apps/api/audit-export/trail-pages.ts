import { Inject, Injectable } from '@nestjs/common';

import type { AuditRecord } from '#audit';
import { type AuditFilter, listAuditRecords, treeHashes } from '#read-model';

import { AuditViews } from '../audit/audit-views.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';

/** Records per page. */
const PAGE = 250;
/** Hashes of left-out records per read. */
const HASHES = 4_096;
const HASH_BYTES = 32;

/** The part of a trail that an export reads. */
export interface TrailRange {
  readonly tenantId: string;
  readonly filter: AuditFilter;
  /** Records up to this seq are left out. */
  readonly after: number;
  /** Records of the trail when the export started; later ones are not read. */
  readonly size: number;
  /** Also reads the hashes of records that the filter leaves out. */
  readonly withHashes: boolean;
}

/** The next part of a trail, in the order of seq: records, or hashes of left-out ones, hex. */
export type TrailPage =
  { readonly records: readonly AuditRecord[] } | { readonly hashes: string[] };

/** Reads a trail from its first record to a fixed size, page by page. */
@Injectable()
export class TrailPages {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly views: AuditViews,
  ) {}

  /** Reads one page ahead of its caller. */
  async *read(range: TrailRange): AsyncGenerator<TrailPage, void> {
    const { withHashes, size } = range;
    let next = 0;
    let page = this.page(range, range.after);
    for (;;) {
      const records = await page;
      const last = records.at(-1);
      page = last ? this.page(range, last.seq) : Promise.resolve([]);
      // The caller may stop before it awaits the page.
      page.catch(() => undefined);
      if (!withHashes) {
        if (!last) return;
        yield { records };
        continue;
      }
      for (const run of runsOf(records)) {
        yield* this.hashes(range.tenantId, next, run.at(0)?.seq ?? next);
        yield { records: run };
        next = (run.at(-1)?.seq ?? next) + 1;
      }
      if (last) continue;
      yield* this.hashes(range.tenantId, next, size);
      return;
    }
  }

  private async page(range: TrailRange, after: number): Promise<readonly AuditRecord[]> {
    const { tenantId, filter, size } = range;
    const query = { filter, order: 'asc', after, limit: PAGE } as const;
    const rows = await this.readModel.ask(listAuditRecords, tenantId, query);
    return this.views.of(
      tenantId,
      rows.filter(({ seq }) => seq < size),
    );
  }

  /** Reads the hashes of the records from a seq up to another, exclusive. */
  private async *hashes(tenantId: string, from: number, to: number): AsyncGenerator<TrailPage> {
    for (let first = from; first < to; first += HASHES) {
      const count = Math.min(HASHES, to - first);
      const read = await this.readModel.ask(treeHashes, tenantId, { level: 0, first, count });
      if (read.length !== count * HASH_BYTES)
        throw new Error(`The trail has ${read.length / HASH_BYTES} of ${count} hashes`);
      const text = read.toString('hex');
      yield {
        hashes: Array.from({ length: count }, (_, at) => text.slice(at * 64, (at + 1) * 64)),
      };
    }
  }
}

/** Splits records where a seq is missing between two. */
function runsOf(records: readonly AuditRecord[]): readonly (readonly AuditRecord[])[] {
  const runs: AuditRecord[][] = [];
  let next = -1;
  for (const record of records) {
    if (record.seq !== next) runs.push([]);
    runs.at(-1)?.push(record);
    next = record.seq + 1;
  }
  return runs;
}
