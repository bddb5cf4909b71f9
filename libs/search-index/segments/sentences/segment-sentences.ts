import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { TimeSlices } from '#platform';

import { isDropped } from '../../pack/dropped-bitmap.js';
import type { SentenceBatch, SentencePassage, SentenceQuery } from '../../search-index.port.js';
import { searchTooCostly } from '../../search-too-costly.js';
import { AcceptedChunks } from '../scan/accepted-chunks.js';
import { isSearchBudgetError, ScanPace } from '../scan/scan-pace.js';
import { type FoundChunk, TopChunks } from '../scan/top-chunks.js';
import { BLOCK_VECTORS } from '../scan/vector-blocks.js';
import { VectorScratch } from '../scan/vector-scratch.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { Segment } from '../store/segment.js';
import { VectorArena } from '../store/vector-arena.js';
import {
  countSentences,
  type PackSentences,
  type PlacedSentences,
  placeSentences,
} from './pack-sentences.js';
import { encodeSentences, recordBytes, soundRecords } from './sentence-file.js';
import { filesIn } from './sentence-folder.js';

export interface SegmentSentencesOptions {
  /** Folder of this encoder's vectors alone; created if missing. */
  readonly directory: string;
  readonly encoder: string;
  readonly dimensions: number;
}

/**
 * The sentence vectors of loaded packs: a file for each pack, `<tenant>/<pack hash>`, and a memory
 * for scans. A damaged or cut off file counts up to its first bad record; the rest is computed
 * again. Changes happen one after the other.
 */
export class SegmentSentences {
  readonly encoder: string;
  private readonly packs = new Map<string, PackSentences>();
  private readonly arena = new VectorArena();
  private readonly scratch = new VectorScratch(this.arena.memory, 0);
  private readonly accepted = new AcceptedChunks();
  private readers = 0;
  /** Memory of packs that left while scans were running. */
  private left: PlacedSentences[] = [];
  private changes: Promise<unknown> = Promise.resolve();
  /** True once files of packs that left while the process was down are removed. */
  private isSwept = false;

  constructor(private readonly options: SegmentSentencesOptions) {
    this.encoder = options.encoder;
  }

  /** Adopts the packs that are loaded now, and removes the vectors of all others. */
  follow(views: () => readonly SegmentView[]): Promise<void> {
    return this.change(async () => {
      const loaded = new Map(
        views().map(({ source, segment }) => [keyOf(source.tenantId, segment.hash), segment]),
      );
      for (const [key, pack] of this.packs) {
        if (loaded.get(key) === pack.segment) continue;
        this.packs.delete(key);
        this.release(pack);
        if (!loaded.has(key)) await rm(this.file(key), { force: true });
      }
      for (const [key, segment] of loaded)
        if (!this.packs.has(key)) this.packs.set(key, await this.open(key, segment));
      if (this.isSwept) return;
      for (const key of await filesIn(this.options.directory))
        if (!loaded.has(key)) await rm(this.file(key), { force: true });
      this.isSwept = true;
    });
  }

  isComplete({ source, segment }: SegmentView): boolean {
    if (segment.tables.chunkCount === 0) return true;
    return this.packs.get(keyOf(source.tenantId, segment.hash))?.placed !== undefined;
  }

  /** Returns the number of chunks of a pack with a vector. */
  count({ source, segment }: SegmentView): number {
    const pack = this.packs.get(keyOf(source.tenantId, segment.hash));
    return pack ? countSentences(pack, this.options.dimensions) : 0;
  }

  /**
   * Scans the vectors of complete views exactly.
   * @throws FootnoteError `search_too_costly` if a filter uses up the budget.
   * @returns the nearest chunks, the nearest first.
   */
  async nearest(
    views: readonly SegmentView[],
    query: Pick<SentenceQuery, 'vector' | 'limit' | 'filter'>,
  ): Promise<readonly (FoundChunk & { readonly view: SegmentView })[]> {
    const top = new TopChunks(query.limit);
    this.readers += 1;
    try {
      const slices = new TimeSlices();
      const pace = new ScanPace();
      pace.resume();
      for (const view of views) {
        const placed = this.packs.get(keyOf(view.source.tenantId, view.segment.hash))?.placed;
        if (placed) await this.scan(view, placed, query, top, { slices, pace });
      }
    } catch (error) {
      throw isSearchBudgetError(error) ? searchTooCostly() : error;
    } finally {
      this.readers -= 1;
      if (this.readers === 0) this.releaseLeft();
    }
    return [...top.found()].sort((a, b) => b.score - a.score || compareIds(a, b)) as never;
  }

  /** Returns the next passages without vectors among some views. */
  async next(
    views: readonly SegmentView[],
    related: readonly SegmentView[],
    limit: number,
  ): Promise<SentenceBatch | undefined> {
    for (const view of views) {
      const { source, segment } = view;
      const key = keyOf(source.tenantId, segment.hash);
      await this.takeOver(key, related);
      const pack = this.packs.get(key);
      if (!pack || pack.placed) continue;
      const first = countSentences(pack, this.options.dimensions);
      const end = Math.min(segment.tables.chunkCount, first + limit);
      if (first === end) continue;
      const passages: SentencePassage[] = [];
      for (let chunk = first; chunk < end; chunk += 1) passages.push(passageOf(segment, chunk));
      return { tenantId: source.tenantId, pack: segment.hash, first, passages };
    }
    return undefined;
  }

  add({ tenantId, pack, first }: SentenceBatch, vectors: readonly Float32Array[]): Promise<void> {
    const key = keyOf(tenantId, pack);
    return this.change(async () => {
      const known = this.packs.get(key);
      if (!known || countSentences(known, this.options.dimensions) !== first) return;
      await this.append(key, known, encodeSentences(vectors, this.options.dimensions));
    });
  }

  /** Copies vectors of equal chunks from other packs, as long as the next chunk has one. */
  private takeOver(key: string, related: readonly SegmentView[]): Promise<void> {
    const { dimensions } = this.options;
    const size = recordBytes(dimensions);
    return this.change(async () => {
      const pack = this.packs.get(key);
      if (!pack || pack.placed) return;
      const others = related.flatMap(({ source, segment }) => {
        const other = this.packs.get(keyOf(source.tenantId, segment.hash));
        return other && other !== pack ? [other] : [];
      });
      const { tables } = pack.segment;
      const copied: Uint8Array[] = [];
      const slices = new TimeSlices();
      for (let at = countSentences(pack, dimensions); at < tables.chunkCount; at += 1) {
        await slices.pause();
        const record = others.map((other) => sameChunk(pack.segment, at, other, dimensions));
        const found = record.find((each) => each !== undefined);
        if (!found) break;
        copied.push(found.subarray(0, size));
      }
      if (copied.length > 0) await this.append(key, pack, Buffer.concat(copied));
    });
  }

  private async append(key: string, pack: PackSentences, records: Uint8Array): Promise<void> {
    await mkdir(join(this.file(key), '..'), { recursive: true });
    await appendFile(this.file(key), records, { flush: true });
    pack.records = Buffer.concat([pack.records, records]);
    this.placeIfWhole(pack);
  }

  private placeIfWhole(pack: PackSentences): void {
    const { dimensions } = this.options;
    const { chunkCount } = pack.segment.tables;
    if (chunkCount === 0 || countSentences(pack, dimensions) < chunkCount) return;
    pack.placed = placeSentences(pack.records, chunkCount, dimensions, this.arena);
  }

  private async open(key: string, segment: Segment): Promise<PackSentences> {
    const { dimensions } = this.options;
    const bytes = await readFile(this.file(key)).catch(missing);
    const { chunkCount } = segment.tables;
    const count = Math.min(chunkCount, soundRecords(bytes, dimensions));
    const records = bytes.subarray(0, count * recordBytes(dimensions));
    // What follows would otherwise stay between the sound records and the next ones.
    if (records.length < bytes.length) await truncate(this.file(key), records.length);
    const pack: PackSentences = { segment, records, placed: undefined };
    this.placeIfWhole(pack);
    return pack;
  }

  private async scan(
    view: SegmentView,
    placed: PlacedSentences,
    { vector, filter }: Pick<SentenceQuery, 'vector' | 'filter'>,
    top: TopChunks,
    { slices, pace }: { readonly slices: TimeSlices; readonly pace: ScanPace },
  ): Promise<void> {
    const accepts = this.accepted.by(filter, pace);
    const products = new Int32Array(placed.count);
    for (let first = 0; first < placed.count; first += BLOCK_VECTORS) {
      await slices.pause();
      // Another search may have used the scratch since.
      this.scratch.setQuery(vector.q);
      const least = top.threshold / vector.scale;
      const found = this.scratch.scanBlock(placed, first, products, least).slice();
      for (const chunk of found) {
        if (slices.isUsedUp) {
          await slices.pause();
          pace.resume();
        }
        const score = (products[chunk] as number) * (placed.scales[chunk] as number) * vector.scale;
        if (score < top.threshold || isDropped(view.dropped, chunk)) continue;
        if (accepts(view, chunk)) top.offer(view, chunk, score);
      }
    }
  }

  private release(pack: PackSentences): void {
    if (pack.placed) this.left.push(pack.placed);
    if (this.readers === 0) this.releaseLeft();
  }

  private releaseLeft(): void {
    for (const { at, bytes } of this.left) this.arena.release(at, bytes);
    this.left = [];
  }

  private file(key: string): string {
    return join(this.options.directory, key);
  }

  private change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changes.then(work);
    this.changes = done.catch(() => undefined);
    return done;
  }
}

function keyOf(tenantId: string, hash: string): string {
  return `${tenantId}/${hash}`;
}

function passageOf(segment: Segment, chunk: number): SentencePassage {
  const { tables } = segment;
  const symbol = tables.symbol(chunk);
  return {
    path: tables.path(chunk),
    ...(symbol === undefined ? {} : { symbol }),
    defs: tables.defs(chunk),
    content: segment.text(chunk),
  };
}

/** Returns the record of the chunk in another pack if everything that is embedded is equal. */
function sameChunk(
  { tables }: Segment,
  chunk: number,
  other: PackSentences,
  dimensions: number,
): Buffer | undefined {
  const at = other.segment.tables.findChunk(tables.chunkId(chunk));
  if (at === -1 || at >= countSentences(other, dimensions)) return undefined;
  const theirs = other.segment.tables;
  const isSame =
    theirs.contentHash(at) === tables.contentHash(chunk) &&
    theirs.path(at) === tables.path(chunk) &&
    theirs.symbol(at) === tables.symbol(chunk) &&
    theirs.defs(at).join(' ') === tables.defs(chunk).join(' ');
  const size = recordBytes(dimensions);
  return isSame ? other.records.subarray(at * size, (at + 1) * size) : undefined;
}

function compareIds(a: FoundChunk, b: FoundChunk): number {
  return a.view.segment.tables.compareIds(a.chunk, b.view.segment.tables, b.chunk);
}

function missing(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0);
  throw error;
}
