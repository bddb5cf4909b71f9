import { mkdir, rm } from 'node:fs/promises';

import { FootnoteError, type Manifest } from '#contracts';
import { FileLogBinding, type LogBinding } from '#platform';
import { quantise, type QuantisedVector } from '#retrieval';

import type {
  CandidateQuery,
  Candidates,
  IndexBeside,
  IndexedChunk,
  LiveSource,
  SearchIndex,
} from '../search-index.port.js';
import { withinTenants } from '../tenant-wall.js';
import { isDropped } from '../pack/dropped-bitmap.js';
import { BadSectionsError } from '../pack/sections.js';
import { joinShares } from './searchers/join-shares.js';
import {
  generationKey,
  loadedGeneration,
  recordOf,
  type GenerationRecord,
  type LoadedGeneration,
  type SegmentView,
} from './store/loaded-generation.js';
import type { QueryVectors } from './scan/search-share.js';
import { createInlineSearcher } from './searchers/scope-searcher.js';
import type { ScopeSearcher } from './searchers/scope-searcher.js';
import { ThreadedSearcher } from './searchers/threaded-searcher.js';
import { SegmentBuild } from './segment-build.js';
import { IndexFolders } from './store/index-folders.js';
import type { SegmentFolder } from './store/segment-folder.js';
import { SegmentPool, type ReadBlob } from './store/segment-pool.js';
import type { Segment } from './store/segment.js';
import { VectorArena } from './store/vector-arena.js';

export interface SegmentIndexOptions {
  /** Folder of the engine alone; made when it is missing. */
  readonly directory: string;
  /** Threads that search, 16 at most; with 0, the default, the calling thread does. */
  readonly threads?: number;
  /** Reads a pack by its hash, to mend damaged segment files. Without it their generations have to be applied again. */
  readonly readBlob?: ReadBlob;
  /** Awaited before the first file is removed; what it throws ends the opening, with every file as it was. */
  readonly beforeChange?: () => Promise<unknown>;
  /** Told of each recorded generation that could not be loaded at start. */
  readonly onLost?: (source: LiveSource, error: unknown) => void;
}

/** The log that an index's folder belongs to; it may be asked before the index is open. Makes the folder. */
export async function segmentIndexBinding(directory: string): Promise<LogBinding> {
  await mkdir(directory, { recursive: true });
  const folders = await IndexFolders.open(directory);
  return new FileLogBinding(directory, () => folders.serving.isEmpty());
}

/** Opens the embedded search engine with every generation it had before. Belongs to one process at a time. */
export async function openSegmentIndex(options: SegmentIndexOptions): Promise<SearchIndex> {
  const index = new SegmentIndex(options, await IndexFolders.open(options.directory));
  try {
    await index.load(options);
  } catch (error) {
    await index.close();
    throw error;
  }
  return index;
}

class SegmentIndex implements SearchIndex {
  private readonly arena = new VectorArena();
  private readonly pool: SegmentPool;
  private readonly searcher: ScopeSearcher;
  private readonly readBlob: ReadBlob;
  private readonly loaded = new Map<string, LoadedGeneration>();
  /** Changes of the set of generations happen one after the other. */
  private changes: Promise<unknown> = Promise.resolve();
  private building = false;

  constructor(
    { threads = 0, readBlob = refuseBlob }: SegmentIndexOptions,
    private readonly folders: IndexFolders,
  ) {
    this.readBlob = readBlob;
    const { memory } = this.arena;
    this.searcher = threads > 0 ? new ThreadedSearcher(memory, threads) : createInlineSearcher(memory);
    this.pool = new SegmentPool(folders.serving, this.arena);
  }

  async load({ onLost, beforeChange }: Pick<SegmentIndexOptions, 'onLost' | 'beforeChange'>): Promise<void> {
    const { records, unreadable } = await this.folder.records();
    const lost: { readonly record: GenerationRecord; readonly error: unknown }[] = [];
    for (const record of records) {
      await this.hold(record, this.readBlob).catch((error: unknown) => lost.push({ record, error }));
    }
    await beforeChange?.();
    await this.folders.removeOthers();
    for (const file of unreadable) await rm(file, { force: true });
    for (const { record, error } of lost) {
      await this.folder.removeRecord(record);
      onLost?.(sourceOf(record), error);
    }
    await this.folder.sweep((tenantId, hash) => this.pool.holds(tenantId, hash));
  }

  async applyGeneration(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    return this.change(async () => {
      const record = recordOf(manifest);
      const before = this.loaded.get(generationKey(sourceOf(record)));
      if (before && isSame(before.record, record)) return chunkCount(before);
      const after = await this.hold(record, readBlob, () => this.folder.writeRecord(record));
      if (before) await this.release(before);
      return chunkCount(after);
    });
  }

  async dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    await this.change(async () => {
      const key = generationKey({ tenantId, sourceId, generation });
      const known = this.loaded.get(key);
      if (!known) return;
      this.loaded.delete(key);
      await this.folder.removeRecord(known.record);
      await this.release(known);
    });
  }

  async generations(): Promise<readonly LiveSource[]> {
    return [...this.loaded.values()].map(({ source }) => source);
  }

  async candidates(query: CandidateQuery): Promise<Candidates> {
    const { scope, corpus, terms, identifiers, limit, filter } = withinTenants(query);
    for (const source of corpus) this.generation(source);
    const vectors = await this.queryVectors(query);
    // Generations may have gone while the models were asked: they are looked up again. Those that go from here on are kept
    // until the search is through.
    const [within, everything] = [this.viewsOf(scope), this.viewsOf(corpus)];
    const shares = await this.searcher.search(within, everything, { terms, identifiers, limit, filter, vectors });
    return joinShares(shares, limit, vectors);
  }

  async contents(source: LiveSource, chunkIds: readonly string[]): Promise<readonly (string | undefined)[]> {
    return this.readingText(source, (views) =>
      chunkIds.map((chunkId) => {
        for (const { segment, dropped } of views) {
          const chunk = segment.tables.findChunk(chunkId);
          if (chunk !== -1 && !isDropped(dropped, chunk)) return textOf(segment, chunk);
        }
        return undefined;
      }),
    );
  }

  async document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    return this.readingText(source, (views) => {
      const chunks: IndexedChunk[] = [];
      for (const { segment, dropped } of views) {
        const { first, end } = segment.tables.document(path);
        for (let chunk = first; chunk < end; chunk++) {
          if (!isDropped(dropped, chunk)) chunks.push(indexedChunk(segment, chunk, source.sourceId));
        }
      }
      return chunks.sort((a, b) => a.ordinal - b.ordinal);
    });
  }

  async *chunkIds(source: LiveSource): AsyncIterable<string> {
    for (const { segment, dropped } of this.generation(source).views) {
      const { tables } = segment;
      for (let chunk = 0; chunk < tables.chunkCount; chunk++) {
        if (!isDropped(dropped, chunk)) yield tables.chunkId(chunk);
      }
    }
  }

  async buildBeside(): Promise<IndexBeside> {
    if (this.building) throw new Error('The search index is being built anew already');
    this.building = true;
    try {
      return new SegmentBuild({
        folder: await this.folders.begin(),
        serving: (source) => this.loaded.get(generationKey(source))?.record,
        servingFolder: () => this.folder,
        show: (build, records, isRequired) => this.change(() => this.show(build, records, isRequired)),
        ended: () => void (this.building = false),
      });
    } catch (error) {
      this.building = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.change(async () => {
      this.loaded.clear();
      await this.searcher.close();
      this.pool.close();
    });
  }

  /** Reads text from disk; where that is damaged, mends the source's segments from their packs and reads once more. */
  private async readingText<T>(source: LiveSource, read: (views: readonly SegmentView[]) => T): Promise<T> {
    try {
      return read(this.generation(source).views);
    } catch (damage) {
      if (!(damage instanceof BadSectionsError)) throw damage;
      try {
        await this.change(async () => {
          const { tenant_id, packs } = this.generation(source).record;
          for (const { hash } of packs) await this.pool.mend(tenant_id, hash, this.readBlob);
        });
        return read(this.generation(source).views);
      } catch {
        throw new FootnoteError('engine_unavailable', 'Content of this source is damaged and cannot be read now.', {
          retryAfter: 60,
          cause: damage,
        });
      }
    }
  }

  /**
   * Has a finished build serve. What is in memory was checked when it was read, so that a generation which is the same in both
   * goes on as it is and reads its text from the new files; searches that are under way notice nothing.
   */
  private async show(
    build: SegmentFolder,
    records: ReadonlyMap<string, GenerationRecord>,
    isRequired: (source: LiveSource) => boolean,
  ): Promise<boolean> {
    const before = new Map(this.loaded);
    for (const [key, { source }] of before) if (!records.has(key) && isRequired(source)) return false;
    const opened = new Map<string, LoadedGeneration>();
    try {
      for (const [key, record] of records) {
        if (isSame(before.get(key)?.record, record)) continue;
        opened.set(key, await this.openSegments(record, refuseBlob, build));
      }
      await this.folders.show(build);
    } catch (error) {
      for (const { record } of opened.values()) await this.giveBack(record.tenant_id, record.packs);
      throw error;
    }
    this.pool.moveTo(build);
    for (const [key, generation] of opened) {
      this.searcher.add(generation.views);
      this.loaded.set(key, generation);
    }
    for (const key of before.keys()) if (!records.has(key)) this.loaded.delete(key);
    for (const [key, known] of before) if (this.loaded.get(key) !== known) await this.release(known);
    await this.folder.sweep((tenantId, hash) => this.pool.holds(tenantId, hash));
    await this.folders.removeOthers();
    return true;
  }

  private get folder(): SegmentFolder {
    return this.folders.serving;
  }

  private async queryVectors({ scope, vectorFor }: CandidateQuery): Promise<QueryVectors> {
    const models = [...new Set(scope.map((source) => this.generation(source).record.embedder.id))];
    const vectors = await Promise.all(models.map((model) => vectorFor(model)));
    return new Map(
      models.flatMap((model, at): [string, QuantisedVector][] => {
        const vector = vectors[at];
        const quantised = vector ? quantise(vector) : null;
        return quantised && quantised.scale > 0 ? [[model, quantised]] : [];
      }),
    );
  }

  private viewsOf(sources: readonly LiveSource[]): SegmentView[] {
    return sources.flatMap((source) => this.generation(source).views);
  }

  private generation(source: LiveSource): LoadedGeneration {
    const known = this.loaded.get(generationKey(source));
    if (!known) {
      throw new FootnoteError(
        'engine_unavailable',
        'The search index is still loading this content; try again shortly.',
        {
          retryAfter: 1,
        },
      );
    }
    return known;
  }

  /** Opens a generation's segments, has it written down and makes it visible; wholly or not at all. */
  private async hold(
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

  /** @param folder where segments lie that are not open yet; default: the one that serves. */
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

  private async giveBack(tenantId: string, packs: readonly { readonly hash: string }[]): Promise<void> {
    for (const { hash } of packs) await this.pool.release(tenantId, hash);
  }

  private async release({ record, views }: LoadedGeneration): Promise<void> {
    await this.searcher.remove(views);
    await this.giveBack(record.tenant_id, record.packs);
  }

  private change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changes.then(work);
    this.changes = done.catch(() => undefined);
    return done;
  }
}

function sourceOf({ tenant_id, source_id, generation }: GenerationRecord): LiveSource {
  return { tenantId: tenant_id, sourceId: source_id, generation };
}

function isSame(known: GenerationRecord | undefined, record: GenerationRecord): boolean {
  return JSON.stringify(known) === JSON.stringify(record);
}

function chunkCount({ views }: LoadedGeneration): number {
  return views.reduce((sum, { liveChunks }) => sum + liveChunks, 0);
}

function textOf(segment: Segment, chunk: number): string {
  return Buffer.from(segment.text(chunk)).toString();
}

function indexedChunk(segment: Segment, chunk: number, sourceId: string): IndexedChunk {
  const { tables } = segment;
  return {
    chunkId: tables.chunkId(chunk),
    sourceId,
    path: tables.path(chunk),
    fragment: tables.fragment(chunk),
    ordinal: tables.ordinal(chunk),
    startLine: tables.startLine(chunk),
    endLine: tables.endLine(chunk),
    content: textOf(segment, chunk),
    tokenCount: tables.tokenCount(chunk),
    symbol: tables.symbol(chunk),
    language: tables.language(chunk),
    chunkType: tables.chunkType(chunk),
  };
}

function refuseBlob(hash: string): Promise<Uint8Array> {
  return Promise.reject(new Error(`segment ${hash} has to be rebuilt, and there is nothing to rebuild it from`));
}
