import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { Manifest } from '#contracts';
import type { Logger } from '#platform';

import { decodeDropped, isDropped } from '../../pack/dropped-bitmap.js';
import type { PackMeta } from '../../pack/pack-layout.js';
import { type Pack, readPack } from '../../pack/read-pack.js';
import type { LiveSource } from '../../search-index.port.js';
import { keyOfRow, PackRows } from '../chunk-row.js';
import type { IndexLayout } from '../index-layout.js';
import { rowFilter, rowsBeyond } from '../row-filter.js';
import type { RowReader, WholeRow } from '../row-reader.js';
import { engineUnavailable, type SearchServer } from '../server.js';
import type { GenerationEntry, SourceRecord, SourceRecords } from '../source-records.js';
import { type BulkOptions, BulkWriter } from './bulk-writer.js';
import { CHUNKS_A_TURN, KnownPackKeys, PackKeys, RememberedRows } from './writer-memory.js';

/** Memory for further generations: keys of a million chunks, and ids of as many rows. */
const KEYS_KEPT_BYTES = 32 * 1024 * 1024;
const ROWS_KEPT_BYTES = 32 * 1024 * 1024;

export type ReadBlob = (hash: string) => Promise<Uint8Array>;

/** Rows of another index. */
export interface CopiedRows {
  readonly ids: readonly string[];
  whole(ids: readonly string[]): AsyncIterable<WholeRow>;
}

/**
 * Writes generations. A row is visible at the generations of an interval: from `from_generation`
 * until before `to_generation`, or without end. The invariant: at every generation that a record
 * names, exactly the chunks of its manifest are visible. Other numbers do not matter, because
 * nobody may request them. Therefore:
 *
 * - A generation is compared with the rows that *are* visible at its number, from any writer. That
 *   may be an earlier generation, a dropped one, or an incomplete attempt. Its additional chunks
 *   are added from its number on, and surplus rows end at its number.
 * - If a later generation exists already, added rows end before it. Ended rows continue from it in
 *   a row of their own, which is written first.
 * - Dropping a generation removes it from the record and changes no row. Rows that no recorded
 *   generation sees are deleted later (`Sweeper`).
 *
 * Each change takes a number from the source's record. It is greater than any before and at least
 * the time in milliseconds, so it rises even after a lost record. Rows have it as external version,
 * and the record is written at the end only if nobody took another number. So a delayed request, or
 * a second writer, cannot undo later changes.
 */
export class GenerationWriter {
  private readonly known = new KnownPackKeys(KEYS_KEPT_BYTES);
  private readonly remembered = new RememberedRows(ROWS_KEPT_BYTES);

  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
    private readonly bulk: BulkOptions,
    private readonly logger: Logger,
  ) {}

  /**
   * @returns the number of chunks of the generation.
   * @throws FootnoteError `engine_unavailable`; errors of `readBlob`.
   */
  async apply(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    const { tenant_id, source_id, generation } = manifest;
    const fingerprint = fingerprintOf(manifest);
    const before = await this.records.hold(tenant_id, source_id);
    const known = before.record.generations.find((entry) => entry.generation === generation);
    if (known?.fingerprint === fingerprint) return known.chunks;
    await this.layout.ensureFields(manifest.embedder);
    const others = before.record.generations.filter((entry) => entry !== known);
    const held = await this.records.take(before, { ...before.record, generations: others });
    const visible = await this.visibleRows(before.record, held.record, generation);
    this.remembered.forget(held.record);
    const { chunks, length, added, closed, ids } = await this.write(
      manifest,
      held.record,
      visible,
      readBlob,
    );
    const { embedder } = manifest;
    const entry: GenerationEntry = {
      generation,
      chunks,
      total_length: length,
      fingerprint,
      embedder,
    };
    const generations = [...others, entry].sort((a, b) => a.generation - b.generation);
    const { record } = await this.records.put(held, { ...held.record, generations });
    if (generations.at(-1) === entry) this.remembered.remember(record, generation, ids);
    this.logger.debug(
      { source_id, generation, chunks, added, closed },
      'search index: wrote a generation',
    );
    return chunks;
  }

  /**
   * Writes a generation as another index contains it, if its rows are all that is left of it.
   * @param rows the rows visible at it in that index; read once for their ids, and again for those
   * to write.
   */
  async copy(source: LiveSource, entry: GenerationEntry, rows: CopiedRows): Promise<void> {
    const { tenantId, sourceId, generation } = source;
    await this.layout.ensureFields(entry.embedder);
    const before = await this.records.hold(tenantId, sourceId);
    const others = before.record.generations.filter((each) => each.generation !== generation);
    const held = await this.records.take(before, { ...before.record, generations: others });
    const visible = await this.visibleRows(before.record, held.record, generation);
    this.remembered.forget(held.record);
    const next = others.find((each) => each.generation > generation)?.generation;
    const bulk = new BulkWriter(
      this.server,
      this.layout.chunks,
      tenantId,
      held.record.change,
      this.bulk,
    );
    try {
      const missing = rows.ids.filter((id) => visible.keep(keyOfRow(id)) === undefined);
      for await (const { again } of rows.whole(missing)) await bulk.add(again(generation, next));
      await this.close(visible.unwanted(), generation, next, tenantId, bulk);
      await bulk.finish();
    } catch (error) {
      await bulk.abandon();
      throw error;
    }
    await this.refresh();
    await this.verify(source, entry.chunks);
    const generations = [...others, entry].sort((a, b) => a.generation - b.generation);
    await this.records.put(held, { ...held.record, generations });
  }

  /** @returns false if there was no such generation. */
  async drop(tenantId: string, sourceId: string, generation: number): Promise<boolean> {
    const held = await this.records.hold(tenantId, sourceId);
    const generations = held.record.generations.filter((entry) => entry.generation !== generation);
    if (generations.length === held.record.generations.length) return false;
    const { record } = await this.records.take(held, { ...held.record, generations, swept: false });
    this.remembered.moved(record, held.record.change);
    return true;
  }

  /** Records that rows which no recorded generation sees were deleted. */
  swept(record: SourceRecord, before: number): void {
    this.remembered.moved(record, before);
  }

  /**
   * Returns the rows that are visible at a generation before it is written. They are listed, or
   * remembered from the newest generation before it if nothing begins or ends after that.
   */
  private async visibleRows(
    before: SourceRecord,
    now: SourceRecord,
    generation: number,
  ): Promise<VisibleRows> {
    const { tenant_id: tenantId, source_id: sourceId } = now;
    await this.refresh();
    const newest = now.generations.at(-1)?.generation ?? generation;
    const known = newest < generation ? this.remembered.recall(before, newest) : undefined;
    const visible = new VisibleRows();
    if (
      known &&
      (await this.rows.count(rowsBeyond({ tenantId, sourceId, generation: newest }))) === 0
    ) {
      for (const id of known) visible.add(id);
    } else {
      for await (const id of this.rows.ids(rowFilter({ tenantId, sourceId, generation })))
        visible.add(id);
    }
    return visible;
  }

  private async write(
    manifest: Manifest,
    { change, generations }: SourceRecord,
    visible: VisibleRows,
    readBlob: ReadBlob,
  ): Promise<{
    chunks: number;
    length: number;
    added: number;
    closed: number;
    ids: readonly string[];
  }> {
    const { tenant_id: tenantId, source_id: sourceId, generation } = manifest;
    const source = { tenantId, sourceId, generation };
    const next = generations.find((entry) => entry.generation > generation)?.generation;
    const bulk = new BulkWriter(this.server, this.layout.chunks, tenantId, change, this.bulk);
    try {
      const wanted = new Set<string>();
      const ids: string[] = [];
      let length = 0;
      for (const { hash, chunks, dropped } of manifest.packs) {
        const read = packReader(hash, readBlob);
        const keys = await this.keysOf(hash, read);
        checkBelongs(keys.meta, hash, manifest, chunks);
        const gone = decodeDropped(dropped, chunks);
        let rows: PackRows | undefined;
        for (let chunk = 0; chunk < chunks; chunk++) {
          if (chunk % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await setImmediate();
          if (isDropped(gone, chunk)) continue;
          const key = keys.key(chunk);
          if (wanted.has(key)) continue;
          wanted.add(key);
          length += keys.lengths[chunk] as number;
          const there = visible.keep(key);
          if (there !== undefined) {
            ids.push(there);
            continue;
          }
          rows ??= new PackRows(await read());
          const row = rows.row(chunk, key, generation, next);
          ids.push(row.id);
          await bulk.add(row);
        }
      }
      const added = bulk.rows;
      const closed = await this.close(visible.unwanted(), generation, next, tenantId, bulk);
      await bulk.finish();
      await this.refresh();
      await this.verify(source, wanted.size);
      return { chunks: wanted.size, length, added, closed, ids };
    } catch (error) {
      await bulk.abandon();
      throw error;
    }
  }

  private async keysOf(hash: string, read: () => Promise<Pack>): Promise<PackKeys> {
    const known = this.known.get(hash);
    if (known) return known;
    const keys = await PackKeys.of(await read(), setImmediate);
    this.known.set(hash, keys);
    return keys;
  }

  /** Ends rows before a generation; if a later one still sees them, they continue from it. */
  private async close(
    ids: readonly string[],
    at: number,
    next: number | undefined,
    tenantId: string,
    bulk: BulkWriter,
  ): Promise<number> {
    if (next !== undefined) {
      for await (const { row, again } of this.rows.whole(ids, tenantId)) {
        const { to_generation: end } = row;
        if (end === undefined || end > next) await bulk.add(again(next, end));
      }
      await bulk.finish();
    }
    for await (const { row, again } of this.rows.whole(ids, tenantId)) {
      await bulk.add(again(row.from_generation, at));
    }
    return ids.length;
  }

  private async verify(
    source: { tenantId: string; sourceId: string; generation: number },
    wanted: number,
  ) {
    const count = await this.rows.count(rowFilter(source));
    if (count === wanted) return;
    this.logger.warn(
      { source_id: source.sourceId, count, wanted },
      'search index: a generation is incomplete; writing it again',
    );
    throw engineUnavailable('A generation is incomplete in the search index; repeat the request');
  }

  /** Makes written rows searchable. */
  private async refresh(): Promise<void> {
    await this.server.request({
      method: 'POST',
      path: `/${this.layout.chunks}/_refresh`,
      timeoutMs: this.bulk.timeoutMs,
    });
  }
}

/** Rows visible at a number, by their content. */
class VisibleRows {
  private readonly byKey = new Map<string, string>();
  /** Further rows with the same content, which are redundant. */
  private readonly surplus: string[] = [];

  add(id: string): void {
    const key = keyOfRow(id);
    if (this.byKey.has(key)) this.surplus.push(id);
    else this.byKey.set(key, id);
  }

  /**
   * Keeps the row with this content.
   * @returns its id; undefined if there is none.
   */
  keep(key: string): string | undefined {
    const id = this.byKey.get(key);
    this.byKey.delete(key);
    return id;
  }

  unwanted(): readonly string[] {
    return [...this.byKey.values(), ...this.surplus];
  }
}

/** Returns a function that reads a pack on first use, once. */
function packReader(hash: string, readBlob: ReadBlob): () => Promise<Pack> {
  let pack: Promise<Pack> | undefined;
  return () => (pack ??= readBlob(hash).then(readPack));
}

function checkBelongs(meta: PackMeta, hash: string, manifest: Manifest, chunks: number): void {
  const fits =
    meta.tenant_id === manifest.tenant_id &&
    meta.source_id === manifest.source_id &&
    meta.analyzer === manifest.analyzer &&
    meta.embedder.id === manifest.embedder.id &&
    meta.embedder.dimensions === manifest.embedder.dimensions &&
    meta.chunks === chunks;
  if (!fits)
    throw new Error(
      `pack ${hash} does not belong to generation ${manifest.generation} of the source of its manifest`,
    );
}

function fingerprintOf({ analyzer, embedder, packs }: Manifest): string {
  const content = packs.map(({ hash, chunks, dropped }) => [hash, chunks, dropped]);
  return createHash('sha256')
    .update(JSON.stringify([analyzer, embedder.id, embedder.dimensions, content]))
    .digest('base64url');
}
