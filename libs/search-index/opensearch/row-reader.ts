import { type IdentifiedRow, idOfColumn, type RowSource, rowWithInterval } from './chunk-row.js';
import type { IndexLayout } from './index-layout.js';
import { type RowFilter, slices } from './row-filter.js';
import type { SearchServer, SearchStatus } from './server.js';

/** A row in a search result. */
export interface RowHit<Source = unknown> {
  readonly _id: string;
  readonly _source: Source;
  readonly _score?: number | null;
  readonly fields?: {
    readonly ranking?: readonly string[];
    readonly row_id?: readonly string[];
    readonly chunk_id?: readonly string[];
    readonly path?: readonly string[];
    readonly language?: readonly string[];
  };
  readonly sort?: readonly unknown[];
}

export interface HitsPage<Source = unknown> extends SearchStatus {
  readonly hits: { readonly hits: readonly RowHit<Source>[] };
}

/** A row as stored in the index. */
export interface WholeRow {
  readonly id: string;
  readonly row: RowSource;
  /** Returns the same row with another interval. */
  readonly again: (from: number, to: number | undefined) => IdentifiedRow;
}

/** Size and fields of a page of hits. */
interface RowPage {
  readonly size: number;
}

const IDS_PAGE = 5_000;
/** Whole rows are read in pages that stay small in bytes. */
const ROWS_PAGE = 100;

/** Reads rows in pages, so that neither side holds more than one. */
export class RowReader {
  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
  ) {}

  /** Returns ids of rows. */
  async *ids(filter: RowFilter): AsyncIterable<string> {
    // The id is read from the column; the id field is next to the row's text, which would have to
    // be decompressed.
    const page = {
      size: IDS_PAGE,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['row_id'],
    };
    for await (const { fields } of this.hits(filter, page, ['chunk_id', 'from_generation'])) {
      yield idOfColumn(fields?.row_id?.[0] ?? '');
    }
  }

  /** Returns ids of chunks, ascending. */
  async *chunkIds(filter: RowFilter): AsyncIterable<string> {
    const page = {
      size: IDS_PAGE,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['chunk_id'],
    };
    for await (const { fields } of this.hits(filter, page, ['chunk_id']))
      yield fields?.chunk_id?.[0] as string;
  }

  /**
   * Returns hits in a total order.
   * @param page size and fields of each page.
   * @param first the first page, if {@link firstPages} read it.
   */
  async *hits<Source>(
    filter: RowFilter,
    page: RowPage,
    order: readonly string[],
    first?: HitsPage<Source>,
  ): AsyncIterable<RowHit<Source>> {
    let answer = first ?? (await this.firstPages<Source>([filter], page, order))[0];
    for (;;) {
      const hits = answer?.hits.hits ?? [];
      yield* hits;
      const after = hits.at(-1)?.sort;
      if (hits.length < page.size || !after) return;
      const body = { ...pageBody(filter, page, order), search_after: after };
      const searches = [{ routing: filter.routing, body }];
      [answer] = await this.server.searches<HitsPage<Source>>(this.layout.chunks, searches);
    }
  }

  /** Returns the first page of hits of each filter, read by one request. */
  firstPages<Source>(
    filters: readonly RowFilter[],
    page: RowPage,
    order: readonly string[],
  ): Promise<readonly HitsPage<Source>[]> {
    const searches = filters.map((filter) => ({
      routing: filter.routing,
      body: pageBody(filter, page, order),
    }));
    return this.server.searches<HitsPage<Source>>(this.layout.chunks, searches);
  }

  /** Returns rows by their ids; missing ones are omitted. */
  async *whole(ids: readonly string[], tenantId: string): AsyncIterable<WholeRow> {
    for (const some of slices(ids, ROWS_PAGE)) {
      const query = {
        bool: { filter: [{ ids: { values: some } }, { term: { tenant_id: tenantId } }] },
      };
      const body = {
        size: some.length,
        query,
        docvalue_fields: ['ranking'],
        track_total_hits: false,
      };
      const searches = [{ routing: [tenantId], body }];
      const [answer] = await this.server.searches<HitsPage<RowSource>>(
        this.layout.chunks,
        searches,
      );
      for (const hit of answer?.hits.hits ?? []) {
        const { _id: id, _source: row } = hit;
        const ranking = rankingOf(hit);
        yield { id, row, again: (from, to) => rowWithInterval(id, row, ranking, from, to) };
      }
    }
  }

  async count({ routing, clause }: RowFilter): Promise<number> {
    const { body } = await this.server.request<{ count: number; _shards: { failed: number } }>({
      method: 'POST',
      path: `/${this.layout.chunks}/_count`,
      query: { routing: routing.join(',') },
      body: { query: { bool: { filter: [clause] } } },
    });
    return body._shards.failed > 0 ? -1 : body.count;
  }
}

/** Returns the bytes of a row's ranking data, if `docvalue_fields` has `ranking`. */
export function rankingOf({ fields }: Pick<RowHit, 'fields'>): Buffer {
  return Buffer.from(fields?.ranking?.[0] ?? '', 'base64');
}

/** Returns the search for the first page of the rows of a filter, in a total order. */
function pageBody({ clause }: RowFilter, page: RowPage, order: readonly string[]): object {
  return {
    ...page,
    query: { bool: { filter: [clause] } },
    sort: order.map((field) => ({ [field]: 'asc' })),
    track_total_hits: false,
  };
}
