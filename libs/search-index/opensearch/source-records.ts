import { createHash } from 'node:crypto';

import { growingCache } from '#platform';

import type { LiveSource } from '../search-index.port.js';
import type { IndexLayout } from './index-layout.js';
import { slices } from './row-filter.js';
import {
  engineUnavailable,
  RefusedRequestError,
  type SearchServer,
  type SearchStatus,
} from './server.js';

/** A generation that is completely in the index. */
export interface GenerationEntry {
  readonly generation: number;
  readonly chunks: number;
  /** Sum of the weighted lengths. */
  readonly total_length: number;
  /** Distinguishes manifests with the same number. */
  readonly fingerprint: string;
  readonly embedder: { readonly id: string; readonly dimensions: number };
}

/** The generations of a source in the index. */
export interface SourceRecord {
  readonly tenant_id: string;
  readonly source_id: string;
  /** The index of chunks that this record describes; for another one it is invalid. */
  readonly index_id: string;
  /**
   * Number of the last change, which only rises: the version of every row that the change writes.
   */
  readonly change: number;
  /** False while rows may exist that no generation needs. */
  readonly swept: boolean;
  readonly generations: readonly GenerationEntry[];
}

/** Entries of generations that a search may start with before they are checked. */
export interface AssumedEntries {
  /** One for each generation, in their order. */
  readonly entries: readonly GenerationEntry[];
  /**
   * Resolves to true if the records did not change since: they are trusted, or were read again and
   * are equal. Rejects with `engine_unavailable` if they cannot be read.
   */
  readonly areCurrent: Promise<boolean>;
}

/** A record as read, for a write that succeeds only if nobody wrote in between. */
export interface HeldRecord {
  readonly record: SourceRecord;
  readonly at: { readonly if_seq_no: number; readonly if_primary_term: number } | undefined;
}

interface Stored {
  readonly found?: boolean;
  readonly error?: { readonly type?: string };
  readonly _source?: SourceRecord;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
}

const STILL_LOADING = 'The search index is still loading this content; repeat the request';
const MAX_KEPT = 50_000;
const PAGE = 1_000;

/** A record, and when it was read. */
interface KeptRecord {
  readonly record: SourceRecord;
  /** Milliseconds of the monotonic clock, taken before the request. */
  readonly readAt: number;
}

/**
 * Records of the loaded generations: one per source, read by id, so that a write is visible at
 * once. Searches may use a record that is a second old, because rows outlive their generation by
 * much more. They start with an older one, and check it at the same time.
 */
export class SourceRecords {
  private readonly kept = growingCache<KeptRecord>(MAX_KEPT);

  /**
   * @param keptMs time for which a search trusts a record that it read.
   * @param now monotonic clock in milliseconds.
   */
  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
    private readonly keptMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Returns the entry of each generation, in the given order.
   * @throws FootnoteError `engine_unavailable` if one is not loaded.
   */
  async loaded(sources: readonly LiveSource[]): Promise<readonly GenerationEntry[]> {
    return entriesOf(sources, await this.trusted(sources));
  }

  /**
   * Returns the entry of each generation, in the given order, as last read. A search starts with
   * them while records are read again that are not trusted. Entries that are unknown are read
   * first.
   * @throws as {@link loaded} for a generation whose entry is unknown and cannot be read.
   */
  async assumed(sources: readonly LiveSource[]): Promise<AssumedEntries> {
    const known = new Map<string, SourceRecord>();
    for (const source of sources) {
      const record = this.kept.get(recordId(source))?.record;
      if (!entryOf(record, source))
        return { entries: await this.loaded(sources), areCurrent: Promise.resolve(true) };
      known.set(recordId(source), record as SourceRecord);
    }
    const areCurrent = this.trusted(sources).then((read) =>
      [...known].every(([id, record]) => isUnchanged(record, read.get(id))),
    );
    return { entries: entriesOf(sources, known), areCurrent };
  }

  /** Returns records that are trusted, by their ids; others are read. */
  private async trusted(
    sources: readonly LiveSource[],
  ): Promise<ReadonlyMap<string, SourceRecord>> {
    // Each record is looked up once: a trusted one may be too old after the others were read.
    const known = new Map<string, SourceRecord>();
    const missing = new Set<string>();
    for (const source of sources) {
      const id = recordId(source);
      const kept = this.kept.get(id);
      if (kept && this.isTrusted(kept) && entryOf(kept.record, source)) known.set(id, kept.record);
      else missing.add(id);
    }
    if (missing.size > 0) await this.read([...missing], known);
    return known;
  }

  /** Clears the records; to be called when another index replaced the one that was read. */
  forget(): void {
    this.kept.clear();
  }

  /** Returns every generation in the index. */
  async all(): Promise<readonly LiveSource[]> {
    const generations: LiveSource[] = [];
    for await (const { tenant_id: tenantId, source_id: sourceId, ...record } of this.scan({
      match_all: {},
    })) {
      for (const { generation } of record.generations)
        generations.push({ tenantId, sourceId, generation });
    }
    return generations;
  }

  /** Returns sources that may have unneeded rows. */
  async unswept(): Promise<readonly SourceRecord[]> {
    const records: SourceRecord[] = [];
    for await (const record of this.scan({ term: { swept: false } })) records.push(record);
    return records;
  }

  /** Returns the record of a source, or an empty one. Invalid generations are omitted. */
  async hold(tenantId: string, sourceId: string): Promise<HeldRecord> {
    const index_id = await this.layout.ensure();
    const stored = await this.get(recordId({ tenantId, sourceId }));
    const none = {
      tenant_id: tenantId,
      source_id: sourceId,
      index_id,
      change: 0,
      swept: true,
      generations: [],
    };
    if (!stored._source) return { record: none, at: undefined };
    const at = {
      if_seq_no: stored._seq_no as number,
      if_primary_term: stored._primary_term as number,
    };
    const { change } = stored._source;
    return {
      record: stored._source.index_id === index_id ? stored._source : { ...none, change },
      at,
    };
  }

  /**
   * Writes a record with the next change number of its source.
   * @throws the errors of `put`.
   */
  take(held: HeldRecord, record: SourceRecord): Promise<HeldRecord> {
    return this.put(held, { ...record, change: Math.max(held.record.change + 1, Date.now()) });
  }

  /**
   * Writes a record if it is unchanged since it was read.
   * @throws FootnoteError `engine_unavailable` if somebody wrote in between.
   */
  async put(held: HeldRecord, record: SourceRecord): Promise<HeldRecord> {
    const id = recordId({ tenantId: record.tenant_id, sourceId: record.source_id });
    this.kept.delete(id);
    const query = held.at ?? { op_type: 'create' };
    try {
      const { body } = await this.server.request<{ _seq_no: number; _primary_term: number }>({
        method: 'PUT',
        path: `/${this.layout.records}/_doc/${id}`,
        query: { ...query, require_alias: false },
        body: record,
      });
      return { record, at: { if_seq_no: body._seq_no, if_primary_term: body._primary_term } };
    } catch (error) {
      if (error instanceof RefusedRequestError && error.status === 409) throw changedMeanwhile();
      throw error;
    } finally {
      this.kept.delete(id);
    }
  }

  /** Removes the record of a source without generations, if it is unchanged since it was read. */
  async remove({ record, at }: HeldRecord): Promise<void> {
    const id = recordId({ tenantId: record.tenant_id, sourceId: record.source_id });
    const path = `/${this.layout.records}/_doc/${id}`;
    await this.server.request({ method: 'DELETE', path, query: { ...at }, accept: [404, 409] });
  }

  private async read(ids: readonly string[], into: Map<string, SourceRecord>): Promise<void> {
    let current = await this.layout.currentId();
    for (const some of slices(ids, PAGE)) {
      const readAt = this.now();
      const { body } = await this.server.request<{ docs: readonly Stored[] }>({
        method: 'POST',
        path: `/${this.layout.records}/_mget`,
        body: { ids: some },
      });
      for (const [index, { _source: record, error }] of body.docs.entries()) {
        if (error)
          throw engineUnavailable(
            undefined,
            new Error(`OpenSearch answered ${error.type ?? 'an error'}`),
          );
        if (!record) continue;
        // The record is of an index that another process created and that is still unknown here.
        if (record.index_id !== current) current = await this.layout.readId();
        if (record.index_id !== current) continue;
        into.set(some[index] as string, record);
        this.kept.set(some[index] as string, { record, readAt });
      }
    }
  }

  private isTrusted({ readAt }: KeptRecord): boolean {
    return this.now() - readAt < Math.max(1, this.keptMs);
  }

  private async get(id: string): Promise<Stored> {
    const path = `/${this.layout.records}/_doc/${id}`;
    return (await this.server.request<Stored>({ method: 'GET', path, accept: [404] })).body;
  }

  private async *scan(query: object): AsyncIterable<SourceRecord> {
    interface Page extends SearchStatus {
      readonly hits: {
        readonly hits: readonly {
          readonly _source: SourceRecord;
          readonly sort: readonly unknown[];
        }[];
      };
    }
    const current = await this.layout.ensure();
    await this.server.request({ method: 'POST', path: `/${this.layout.records}/_refresh` });
    const sort = [{ tenant_id: 'asc' }, { source_id: 'asc' }];
    for (let after: readonly unknown[] | undefined; ;) {
      const body = { size: PAGE, query, sort, ...(after && { search_after: after }) };
      const [page] = await this.server.searches<Page>(this.layout.records, [{ routing: [], body }]);
      const hits = page?.hits.hits ?? [];
      for (const { _source: record } of hits) if (record.index_id === current) yield record;
      after = hits.at(-1)?.sort;
      if (hits.length < PAGE) return;
    }
  }
}

export function changedMeanwhile(): Error {
  return engineUnavailable('Another process is changing the search index; repeat the request');
}

function recordId({ tenantId, sourceId }: Omit<LiveSource, 'generation'>): string {
  return createHash('sha256').update(`${tenantId}\n${sourceId}`).digest('base64url');
}

function entryOf(
  record: SourceRecord | undefined,
  { generation }: LiveSource,
): GenerationEntry | undefined {
  return record?.generations.find((entry) => entry.generation === generation);
}

/** @throws FootnoteError `engine_unavailable` for a generation that no record has. */
function entriesOf(
  sources: readonly LiveSource[],
  records: ReadonlyMap<string, SourceRecord>,
): readonly GenerationEntry[] {
  const entries = sources.map((source) => entryOf(records.get(recordId(source)), source));
  if (!entries.every((entry) => entry !== undefined)) throw engineUnavailable(STILL_LOADING);
  return entries;
}

/** Reports whether nothing was loaded, dropped or lost between two reads of a record. */
function isUnchanged(before: SourceRecord, after: SourceRecord | undefined): boolean {
  return after?.index_id === before.index_id && after.change === before.change;
}
