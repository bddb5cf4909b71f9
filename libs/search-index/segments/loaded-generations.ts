import { rm } from 'node:fs/promises';

import { FootnoteError } from '#contracts';

import type { LiveSource } from '../search-index.port.js';
import type { ScopeSearcher } from './searchers/scope-searcher.js';
import type { IndexFolders } from './store/index-folders.js';
import {
  generationKey,
  type GenerationRecord,
  type LoadedGeneration,
  loadedGeneration,
  type SegmentView,
  sourceOf,
} from './store/loaded-generation.js';
import type { Segment } from './store/segment.js';
import type { SegmentFolder } from './store/segment-folder.js';
import { type ReadBlob, refuseBlob, SegmentPool } from './store/segment-pool.js';
import type { VectorArena } from './store/vector-arena.js';

export interface LoadedGenerationsDependencies {
  readonly folders: IndexFolders;
  /** Receives the vectors of loaded segments. */
  readonly arena: VectorArena;
  /**
   * Receives views before they can be found here, and their removal before their segments are
   * closed.
   */
  readonly searcher: ScopeSearcher;
}

export interface RestoreOptions {
  /** Reads a pack by its hash, to repair damaged segment files. */
  readonly readBlob: ReadBlob;
  /**
   * Awaited before the first file is removed; its error ends the restore, with every file
   * unchanged.
   */
  readonly beforeChange?: (() => Promise<unknown>) | undefined;
  /** Called for each recorded generation that could not be loaded. */
  readonly onLost?: ((source: LiveSource, error: unknown) => void) | undefined;
}

/**
 * The generations that the embedded index serves: each with open segments, known to the searcher
 * and recorded in the serving folder. Changes happen one after the other.
 */
export class LoadedGenerations {
  private readonly loaded = new Map<string, LoadedGeneration>();
  private readonly folders: IndexFolders;
  private readonly searcher: ScopeSearcher;
  private readonly pool: SegmentPool;
  private changes: Promise<unknown> = Promise.resolve();

  constructor({ folders, arena, searcher }: LoadedGenerationsDependencies) {
    this.folders = folders;
    this.searcher = searcher;
    this.pool = new SegmentPool(folders.serving, arena);
  }

  get folder(): SegmentFolder {
    return this.folders.serving;
  }

  sources(): readonly LiveSource[] {
    return [...this.loaded.values()].map(({ source }) => source);
  }

  find(source: LiveSource): LoadedGeneration | undefined {
    return this.loaded.get(generationKey(source));
  }

  /** @throws FootnoteError `engine_unavailable` while it is not loaded. */
  get(source: LiveSource): LoadedGeneration {
    const known = this.find(source);
    if (!known) {
      const message = 'The search index is still loading this content; repeat the request';
      throw new FootnoteError('engine_unavailable', message, { retryAfter: 1 });
    }
    return known;
  }

  /** @throws FootnoteError `engine_unavailable` while one of them is not loaded. */
  views(sources: readonly LiveSource[]): SegmentView[] {
    return sources.flatMap((source) => this.get(source).views);
  }

  /**
   * Loads the recorded generations, before any other request. It discards records that cannot be
   * loaded, and removes files that no record names.
   */
  async restore({ readBlob, beforeChange, onLost }: RestoreOptions): Promise<void> {
    const { records, unreadable } = await this.folder.records();
    const lost: { readonly record: GenerationRecord; readonly error: unknown }[] = [];
    for (const record of records) {
      await this.load(record, readBlob).catch((error: unknown) => lost.push({ record, error }));
    }
    await beforeChange?.();
    await this.folders.removeOthers();
    for (const file of unreadable) await rm(file, { force: true });
    for (const { record, error } of lost) {
      await this.folder.removeRecord(record);
      onLost?.(sourceOf(record), error);
    }
    await this.sweep();
  }

  /** Loads a generation and replaces its earlier state. Applying it twice changes nothing. */
  apply(record: GenerationRecord, readBlob: ReadBlob): Promise<LoadedGeneration> {
    return this.change(async () => {
      const before = this.find(sourceOf(record));
      if (before && isSame(before.record, record)) return before;
      const after = await this.load(record, readBlob, () => this.folder.writeRecord(record));
      if (before) await this.release(before);
      return after;
    });
  }

  drop(source: LiveSource): Promise<void> {
    return this.change(async () => {
      const known = this.find(source);
      if (!known) return;
      this.loaded.delete(generationKey(source));
      await this.folder.removeRecord(known.record);
      await this.release(known);
    });
  }

  /** Rewrites the segment files of a generation from their packs. */
  repair(source: LiveSource, readBlob: ReadBlob): Promise<void> {
    return this.change(async () => {
      const { tenant_id, packs } = this.get(source).record;
      for (const { hash } of packs) await this.pool.repair(tenant_id, hash, readBlob);
    });
  }

  /**
   * Makes a finished build the serving index. Segments in memory were checked when they were read.
   * So a generation that is equal in both continues unchanged and reads its text from the new
   * files; running searches are not affected.
   *
   * @returns false if it lacks a required generation.
   */
  switchTo(
    build: SegmentFolder,
    records: ReadonlyMap<string, GenerationRecord>,
    isRequired: (source: LiveSource) => boolean,
  ): Promise<boolean> {
    return this.change(async () => {
      const before = new Map(this.loaded);
      for (const [key, { source }] of before)
        if (!records.has(key) && isRequired(source)) return false;
      const opened = new Map<string, LoadedGeneration>();
      try {
        for (const [key, record] of records) {
          if (isSame(before.get(key)?.record, record)) continue;
          opened.set(key, await this.openSegments(record, refuseBlob, build));
        }
        await this.folders.show(build);
      } catch (error) {
        for (const { record } of opened.values())
          await this.giveBack(record.tenant_id, record.packs);
        throw error;
      }
      this.pool.moveTo(build);
      for (const [key, generation] of opened) {
        this.searcher.add(generation.views);
        this.loaded.set(key, generation);
      }
      for (const key of before.keys()) if (!records.has(key)) this.loaded.delete(key);
      for (const [key, known] of before)
        if (this.loaded.get(key) !== known) await this.release(known);
      await this.sweep();
      await this.folders.removeOthers();
      return true;
    });
  }

  /** Closes the searcher too; nothing is found afterwards. */
  close(): Promise<void> {
    return this.change(async () => {
      this.loaded.clear();
      await this.searcher.close();
      this.pool.close();
    });
  }

  /** Opens a generation's segments, records it and makes it visible; completely or not at all. */
  private async load(
    record: GenerationRecord,
    readBlob: ReadBlob,
    writeDown: () => Promise<void> = () => Promise.resolve(),
  ): Promise<LoadedGeneration> {
    const generation = await this.openSegments(record, readBlob);
    try {
      await writeDown();
    } catch (error) {
      await this.giveBack(record.tenant_id, record.packs);
      throw error;
    }
    this.searcher.add(generation.views);
    this.loaded.set(generationKey(generation.source), generation);
    return generation;
  }

  /** @param folder of segments that are not open yet; default: the serving one. */
  private async openSegments(
    record: GenerationRecord,
    readBlob: ReadBlob,
    folder?: SegmentFolder,
  ): Promise<LoadedGeneration> {
    const segments: Segment[] = [];
    try {
      for (const { hash } of record.packs) {
        segments.push(await this.pool.acquire(record.tenant_id, hash, readBlob, folder));
      }
      return loadedGeneration(record, segments);
    } catch (error) {
      await this.giveBack(record.tenant_id, segments);
      throw error;
    }
  }

  private async release({ record, views }: LoadedGeneration): Promise<void> {
    await this.searcher.remove(views);
    await this.giveBack(record.tenant_id, record.packs);
  }

  private async giveBack(
    tenantId: string,
    packs: readonly { readonly hash: string }[],
  ): Promise<void> {
    for (const { hash } of packs) await this.pool.release(tenantId, hash);
  }

  private async sweep(): Promise<void> {
    await this.folder.sweep((tenantId, hash) => this.pool.holds(tenantId, hash));
  }

  private change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changes.then(work);
    this.changes = done.catch(() => undefined);
    return done;
  }
}

function isSame(known: GenerationRecord | undefined, record: GenerationRecord): boolean {
  return JSON.stringify(known) === JSON.stringify(record);
}
