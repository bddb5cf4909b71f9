import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import type { Manifest } from '#contracts';
import type { Logger } from '#platform';

import { decodeDropped, isDropped } from '../pack/dropped-bitmap.js';
import { readPack, type Pack } from '../pack/read-pack.js';
import { BulkWriter, type BulkOptions } from './bulk-writer.js';
import { PackRows, keyOfRow } from './chunk-row.js';
import type { IndexLayout } from './index-layout.js';
import { rowFilter } from './row-filter.js';
import type { RowReader } from './row-reader.js';
import { engineUnavailable, type SearchServer } from './server.js';
import type { GenerationEntry, HeldRecord, SourceRecord, SourceRecords } from './source-records.js';

/** Chunks that are looked at before others in the process have their turn. */
const CHUNKS_A_TURN = 256;

export type ReadBlob = (hash: string) => Promise<Uint8Array>;

/**
 * Writes generations. A row is visible at the generations of an interval, `from_generation` until before
 * `to_generation`, or on without end. What has to hold is: at every generation that a record names, exactly the chunks of
 * its manifest are visible. What is visible at other numbers does not matter, since nobody may ask for them. So
 *
 * - a generation is compared with the rows that *are* visible at its number, whoever left them: an earlier generation
 *   that is there, one that was dropped, or an attempt that ended half-way. What it has besides them is added from its
 *   number on, what they have besides it is closed at its number;
 * - if a later generation is there already, what is added ends before that one, and what is closed goes on from it in a
 *   row of its own, written first;
 * - dropping a generation takes it out of the record and touches no row. Rows that no recorded generation sees are
 *   deleted later (`Sweeper`).
 *
 * Each change takes a number from the source's record, greater than any before and at least the time in milliseconds, so
 * that it rises even over a lost record. Rows carry it as external version, and the record is written at the end only if
 * nobody took another number: a request that was under way for long, or a second writer, cannot undo what came later.
 */
export class GenerationWriter {
  constructor(
    private readonly server: SearchServer,
    private readonly layout: IndexLayout,
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
    private readonly bulk: BulkOptions,
    private readonly logger: Logger,
  ) {}

  /** @returns how many chunks the generation has. @throws FootnoteError `engine_unavailable`; what `readBlob` throws */
  async apply(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    const { tenant_id, source_id, generation } = manifest;
    const fingerprint = fingerprintOf(manifest);
    const before = await this.records.hold(tenant_id, source_id);
    const known = before.record.generations.find((entry) => entry.generation === generation);
    if (known?.fingerprint === fingerprint) return known.chunks;
    await this.layout.ensureVectorField(manifest.embedder);
    const others = before.record.generations.filter((entry) => entry !== known);
    const held = await this.take(before, { ...before.record, generations: others });
    const { chunks, length, added, closed } = await this.write(manifest, held.record, readBlob);
    const { embedder } = manifest;
    const entry: GenerationEntry = { generation, chunks, total_length: length, fingerprint, embedder };
    const generations = [...others, entry].sort((a, b) => a.generation - b.generation);
    await this.records.put(held, { ...held.record, generations });
    this.logger.debug({ source_id, generation, chunks, added, closed }, 'a generation was written to the search index');
    return chunks;
  }

  /** @returns false when there was no such generation */
  async drop(tenantId: string, sourceId: string, generation: number): Promise<boolean> {
    const held = await this.records.hold(tenantId, sourceId);
    const generations = held.record.generations.filter((entry) => entry.generation !== generation);
    if (generations.length === held.record.generations.length) return false;
    await this.take(held, { ...held.record, generations, swept: false });
    return true;
  }

  /** Takes the next change number of a source. */
  private take(held: HeldRecord, record: SourceRecord): Promise<HeldRecord> {
    return this.records.put(held, { ...record, change: Math.max(record.change + 1, Date.now()) });
  }

  private async write(
    manifest: Manifest,
    { change, generations }: SourceRecord,
    readBlob: ReadBlob,
  ): Promise<{ chunks: number; length: number; added: number; closed: number }> {
    const { tenant_id: tenantId, source_id: sourceId, generation } = manifest;
    const source = { tenantId, sourceId, generation };
    const next = generations.find((entry) => entry.generation > generation)?.generation;
    await this.refresh();
    const visible = new VisibleRows();
    for await (const id of this.rows.ids(rowFilter(source))) visible.add(id);
    const bulk = new BulkWriter(this.server, this.layout.chunks, tenantId, change, this.bulk);
    try {
      const wanted = new Set<string>();
      let length = 0;
      for (const { hash, chunks, dropped } of manifest.packs) {
        const pack = readPack(await readBlob(hash));
        checkBelongs(pack, hash, manifest, chunks);
        const rows = new PackRows(pack);
        const gone = decodeDropped(dropped, chunks);
        for (let chunk = 0; chunk < chunks; chunk++) {
          if (chunk % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await setImmediate();
          if (isDropped(gone, chunk)) continue;
          const key = rows.key(chunk);
          if (wanted.has(key)) continue;
          wanted.add(key);
          length += pack.tables.lengths[chunk] as number;
          if (!visible.keep(key)) await bulk.add(rows.row(chunk, key, generation, next));
        }
      }
      const added = bulk.rows;
      const closed = await this.close(visible.unwanted(), generation, next, tenantId, bulk);
      await bulk.finish();
      await this.refresh();
      await this.verify(source, wanted.size);
      return { chunks: wanted.size, length, added, closed };
    } catch (error) {
      await bulk.abandon();
      throw error;
    }
  }

  /** Ends rows before a generation; where a later one still sees them, they go on from it. */
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

  private async verify(source: { tenantId: string; sourceId: string; generation: number }, wanted: number) {
    const count = await this.rows.count(rowFilter(source));
    if (count === wanted) return;
    this.logger.warn(
      { source_id: source.sourceId, count, wanted },
      'a generation is not whole in the search index yet',
    );
    throw engineUnavailable('A generation is not whole in the search index yet; try again shortly.');
  }

  /** Makes what was written searchable. */
  private async refresh(): Promise<void> {
    await this.server.request({
      method: 'POST',
      path: `/${this.layout.chunks}/_refresh`,
      timeoutMs: this.bulk.timeoutMs,
    });
  }
}

/** Rows that are visible at a number, by what they say. */
class VisibleRows {
  private readonly byKey = new Map<string, string>();
  /** A second row that says the same has nothing to add. */
  private readonly surplus: string[] = [];

  add(id: string): void {
    const key = keyOfRow(id);
    if (this.byKey.has(key)) this.surplus.push(id);
    else this.byKey.set(key, id);
  }

  /** @returns whether there is such a row; it then stays. */
  keep(key: string): boolean {
    return this.byKey.delete(key);
  }

  unwanted(): readonly string[] {
    return [...this.byKey.values(), ...this.surplus];
  }
}

function checkBelongs({ meta }: Pack, hash: string, manifest: Manifest, chunks: number): void {
  const fits =
    meta.tenant_id === manifest.tenant_id &&
    meta.source_id === manifest.source_id &&
    meta.analyzer === manifest.analyzer &&
    meta.embedder.id === manifest.embedder.id &&
    meta.embedder.dimensions === manifest.embedder.dimensions &&
    meta.chunks === chunks;
  if (!fits)
    throw new Error(`pack ${hash} does not belong to generation ${manifest.generation} of its manifest's source`);
}

function fingerprintOf({ analyzer, embedder, packs }: Manifest): string {
  const content = packs.map(({ hash, chunks, dropped }) => [hash, chunks, dropped]);
  return createHash('sha256')
    .update(JSON.stringify([analyzer, embedder.id, embedder.dimensions, content]))
    .digest('base64url');
}
