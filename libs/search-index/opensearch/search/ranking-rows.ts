import { LRUCache } from 'lru-cache';

import { TimeSlices } from '#platform';

import { idOfColumn } from '../chunk-row.js';
import type { IndexLayout } from '../index-layout.js';
import { decodeRanking, type RankingData } from '../ranking-data.js';
import { slices } from '../row-filter.js';
import type { HitsPage } from '../row-reader.js';
import { engineUnavailable, type SearchServer } from '../server.js';

/** Memory of a decoded row besides its bytes. */
const DECODED_BYTES = 1_200;
const ROWS_A_SEARCH = 1_000;

/**
 * Ranking data of found rows. A row's id identifies its content, so data once read stays valid. The
 * most recently used data is kept. The server always decides which rows are found, so this cache
 * makes nothing visible.
 */
export class RankingRows {
  private readonly kept: LRUCache<string, RankingData>;
  /** Answers that are under way, by the rows that they will have. */
  private readonly reading = new Map<string, Promise<ReadonlyMap<string, RankingData>>>();

  /** @param maxBytes approximate limit of kept data. */
  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
    maxBytes: number,
  ) {
    this.kept = new LRUCache({ maxSize: Math.max(1, maxBytes) });
  }

  /**
   * @param columns ids of rows as searches returned them, in `row_id`.
   * @param tenants owners of the rows.
   * @throws FootnoteError `engine_unavailable` if a row was deleted in the meantime.
   */
  async read(
    columns: ReadonlySet<string>,
    tenants: readonly string[],
  ): Promise<ReadonlyMap<string, RankingData>> {
    const data = new Map<string, RankingData>();
    const missing: string[] = [];
    const expected = new Set<Promise<ReadonlyMap<string, RankingData>>>();
    for (const column of columns) {
      const known = this.kept.get(column);
      const reading = this.reading.get(column);
      if (known) data.set(column, known);
      else if (reading) expected.add(reading);
      else missing.push(column);
    }
    if (missing.length > 0) expected.add(this.fetchOnce(missing, tenants));
    for (const rows of await Promise.all(expected))
      for (const [column, row] of rows) if (columns.has(column)) data.set(column, row);
    if (data.size < columns.size)
      throw engineUnavailable('The search index is changing; repeat the request');
    return data;
  }

  /** Reads rows. Until they arrive, other searches that need one of them wait for them. */
  private fetchOnce(
    columns: readonly string[],
    tenants: readonly string[],
  ): Promise<ReadonlyMap<string, RankingData>> {
    const rows = this.fetch(columns, tenants).finally(() => {
      for (const column of columns) this.reading.delete(column);
    });
    for (const column of columns) this.reading.set(column, rows);
    return rows;
  }

  private async fetch(
    columns: readonly string[],
    tenants: readonly string[],
  ): Promise<ReadonlyMap<string, RankingData>> {
    const into = new Map<string, RankingData>();
    const searches = slices(columns, ROWS_A_SEARCH).map((some) => {
      const filter = [{ ids: { values: some.map(idOfColumn) } }, { terms: { tenant_id: tenants } }];
      const read = {
        _source: false,
        stored_fields: '_none_',
        docvalue_fields: ['row_id', 'ranking'],
      };
      const body = {
        size: some.length,
        query: { bool: { filter } },
        ...read,
        track_total_hits: false,
      };
      return { routing: tenants, body };
    });
    const time = new TimeSlices();
    for (const page of await this.server.searches<HitsPage>(this.layout.chunks, searches)) {
      for (const { fields } of page.hits.hits) {
        const bytes = bytesOf(fields?.ranking?.[0] ?? '');
        const [column = '', data] = [fields?.row_id?.[0], decodeRanking(bytes)];
        into.set(column, data);
        this.kept.set(column, data, { size: bytes.length + DECODED_BYTES });
        if (time.isUsedUp) await time.pause();
      }
    }
    return into;
  }
}

/** Copies the bytes: as part of a larger buffer they would keep all of it in memory. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(base64, 'base64'));
  bytes.write(base64, 'base64');
  return bytes;
}
