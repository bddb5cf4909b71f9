import { mkdir } from 'node:fs/promises';

import { FootnoteError, type Manifest } from '#contracts';
import { FileLogBinding, type LogBinding, TimeSlices } from '#platform';
import { quantize, type QuantizedVector } from '#retrieval';
import type { SharedMemory } from '#retrieval/wasm-functions';

import { BadSectionsError } from '../pack/sections.js';
import { rankCandidates } from '../rank-candidates.js';
import type { RankedCandidates, RankingQuery } from '../ranking.types.js';
import {
  type Candidate,
  type CandidateQuery,
  type Candidates,
  type DocumentRange,
  type ExcludedDocuments,
  type FileChunksQuery,
  type IndexBeside,
  type IndexedChunk,
  type IndexedDocument,
  type IndexedOutline,
  type IndexedSymbol,
  type LiveSource,
  RETRIEVAL_VERSION,
  type SearchIndex,
  type SentenceIndex,
  type SymbolQuery,
} from '../search-index.port.js';
import { searchTooCostly } from '../search-too-costly.js';
import { filesWithinTenants, symbolsWithinTenants, withinTenants } from '../tenant-wall.js';
import {
  chunkIdsOf,
  chunksOf,
  outlineOfChunks,
  readContents,
  readDocument,
} from './chunk-reader.js';
import { documentPaths } from './document-paths.js';
import { FileChunks } from './file-chunks.js';
import { findSymbols } from './find-symbols.js';
import { LoadedGenerations } from './loaded-generations.js';
import { isSearchBudgetError } from './scan/scan-pace.js';
import type { QueryVectors } from './scan/search-slice.js';
import { FoundCandidates } from './searchers/found-candidates.js';
import { joinSlices } from './searchers/join-slices.js';
import { postedRanking } from './searchers/posted-ranking.js';
import { createInlineSearcher, type ScopeSearcher } from './searchers/scope-searcher.js';
import { SliceRanking } from './searchers/slice-ranking.js';
import { ThreadedSearcher } from './searchers/threaded-searcher.js';
import { SegmentBuild } from './segment-build.js';
import { segmentDocument } from './segment-document.js';
import { SegmentSentences, type SegmentSentencesOptions } from './sentences/segment-sentences.js';
import { IndexFolders } from './store/index-folders.js';
import { recordOf, type SegmentView } from './store/loaded-generation.js';
import { type ReadBlob, refuseBlob } from './store/segment-pool.js';
import { VectorArena } from './store/vector-arena.js';

export interface SegmentIndexOptions {
  /** Folder of this engine alone; created if missing. */
  readonly directory: string;
  /** Number of search threads, 16 at most; with 0, the default, the calling thread searches. */
  readonly threads?: number;
  /**
   * Threads to add once the index has 200,000 chunks: words and vectors are then searched at the
   * same time. Default: 0.
   */
  readonly spareThreads?: number;
  /**
   * Reads a pack by its hash, to repair damaged segment files. Without it, their generations must
   * be applied again.
   */
  readonly readBlob?: ReadBlob;
  /**
   * Awaited before the first file is removed; its error ends the open, with every file unchanged.
   */
  readonly beforeChange?: () => Promise<unknown>;
  /** The vectors of sentences; default: none are stored. */
  readonly sentences?: SegmentSentencesOptions;
  /** Called for each recorded generation that could not be loaded at start. */
  readonly onLost?: (source: LiveSource, error: unknown) => void;
}

/**
 * Returns the binding of an index folder to its log; usable before the index is open. Creates the
 * folder.
 */
export async function segmentIndexBinding(directory: string): Promise<LogBinding> {
  await mkdir(directory, { recursive: true });
  const folders = await IndexFolders.open(directory);
  return new FileLogBinding(directory, () => folders.serving.isEmpty());
}

/**
 * Opens the embedded search engine with every generation it had before. One process at a time may
 * use it.
 */
export async function openSegmentIndex(options: SegmentIndexOptions): Promise<SearchIndex> {
  const { readBlob = refuseBlob, threads = 0, beforeChange, onLost, sentences } = options;
  const { spareThreads: spare = 0 } = options;
  const folders = await IndexFolders.open(options.directory);
  const arena = new VectorArena();
  const { memory } = arena;
  const searcher =
    threads > 0 ? new ThreadedSearcher(memory, threads, { spare }) : createInlineSearcher(memory);
  const loaded = new LoadedGenerations({ folders, arena, searcher });
  try {
    await loaded.restore({ readBlob, beforeChange, onLost });
  } catch (error) {
    await loaded.close();
    throw error;
  }
  const stored = sentences && new SegmentSentences(sentences);
  const index = new SegmentIndex(folders, memory, searcher, loaded, readBlob, stored);
  await index.followPacks();
  return index;
}

class SegmentIndex implements SearchIndex {
  readonly sentences: SentenceIndex | null;
  private building = false;

  constructor(
    private readonly folders: IndexFolders,
    private readonly arenaMemory: SharedMemory,
    private readonly searcher: ScopeSearcher,
    private readonly loaded: LoadedGenerations,
    private readonly readBlob: ReadBlob,
    private readonly stored: SegmentSentences | undefined,
  ) {
    this.sentences = stored ? this.sentenceIndex(stored) : null;
  }

  /** Adopts and removes sentence vectors with the packs that are loaded. */
  async followPacks(): Promise<void> {
    await this.stored?.follow(() => this.loaded.views(this.loaded.sources()));
  }

  async applyGeneration(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    const { views } = await this.loaded.apply(recordOf(manifest), readBlob);
    await this.followPacks();
    return views.reduce((sum, { liveChunks }) => sum + liveChunks, 0);
  }

  async dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    await this.loaded.drop({ tenantId, sourceId, generation });
    await this.followPacks();
  }

  async generations(): Promise<readonly LiveSource[]> {
    return this.loaded.sources();
  }

  async candidates(query: CandidateQuery): Promise<Candidates> {
    const { slices, vectors, searched } = await this.search(query);
    return { ...joinSlices(slices, query.limit, vectors), searched };
  }

  async ranked(query: CandidateQuery, ranking: RankingQuery): Promise<RankedCandidates> {
    const { slices, vectors, searched } = await this.search(query, ranking);
    const [{ scope, found }] = slices;
    if (!found.ranked)
      return rankCandidates({ ...joinSlices(slices, query.limit, vectors), searched }, ranking);
    const candidates = new FoundCandidates(scope, found, vectors);
    return new SliceRanking(found, found.ranked, candidates, ranking.sourceOf);
  }

  async fileChunks(query: FileChunksQuery): Promise<readonly Candidate[]> {
    const { files, terms, limit, vectorFor } = filesWithinTenants(query);
    const vectors = await this.queryVectors({
      scope: files.map(({ source }) => source),
      vectorFor,
    });
    const chunks = new FileChunks(this.arenaMemory, terms, vectors, limit);
    const slices = new TimeSlices();
    for (const { source, path } of files) {
      await slices.pause();
      // A generation may have been removed in the pause, so it is looked up again.
      chunks.add(this.loaded.get(source).views, path);
    }
    return chunks.sorted();
  }

  async contents(
    source: LiveSource,
    chunkIds: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    return this.readingText(source, (views) => readContents(views, chunkIds));
  }

  async document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    return this.readingText(source, (views) => readDocument(views, path));
  }

  async outline(source: LiveSource, path: string): Promise<IndexedOutline> {
    return outlineOfChunks(chunksOf(this.loaded.get(source).views, path));
  }

  async symbols(query: SymbolQuery): Promise<readonly IndexedSymbol[]> {
    const { scope, limit } = symbolsWithinTenants(query);
    const ordered = [...scope].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
    const found: IndexedSymbol[] = [];
    for (const source of ordered) {
      const rest = limit - found.length;
      if (rest <= 0) break;
      found.push(...(await findSymbols(this.loaded.get(source).views, { ...query, limit: rest })));
    }
    return found;
  }

  async *documents(
    source: LiveSource,
    range: DocumentRange = {},
  ): AsyncIterable<IndexedDocument | ExcludedDocuments> {
    const slices = new TimeSlices();
    // Each step of an asynchronous iteration takes microseconds; most documents are excluded.
    let excluded = 0;
    // The first one reads the trigrams, which may have to be repaired.
    const [first, documents] = await this.readingText(source, (views) => {
      const iterator = documentPaths(views, range);
      return [iterator.next(), iterator] as const;
    });
    for (let next = first; !next.done; next = documents.next()) {
      if (slices.isUsedUp) {
        await slices.pause();
        this.loaded.get(source);
      }
      // Of a rejected document nothing is read.
      if (next.value === undefined) continue;
      if (typeof next.value === 'number') {
        excluded += next.value;
        continue;
      }
      const { path, isExcluded } = next.value;
      if (isExcluded) {
        excluded += 1;
        continue;
      }
      if (excluded > 0) yield { excluded };
      excluded = 0;
      const chunks = () => this.readingText(source, (views) => readDocument(views, path));
      yield segmentDocument(this.loaded.get(source).views, path, chunks);
    }
    if (excluded > 0) yield { excluded };
  }

  lacksTrigrams(source: LiveSource): boolean {
    return this.loaded.get(source).views.some(({ segment }) => segment.trigrams === undefined);
  }

  async *chunkIds(source: LiveSource): AsyncIterable<string> {
    yield* chunkIdsOf(this.loaded.get(source).views);
  }

  async buildBeside(): Promise<IndexBeside> {
    if (this.building) throw new Error('A rebuild of the search index is already running');
    this.building = true;
    try {
      return new SegmentBuild({
        folder: await this.folders.begin(),
        serving: (source) => this.loaded.find(source)?.record,
        servingFolder: () => this.loaded.folder,
        show: async (build, records, isRequired) => {
          const isShown = await this.loaded.switchTo(build, records, isRequired);
          await this.followPacks();
          return isShown;
        },
        ended: () => void (this.building = false),
      });
    } catch (error) {
      this.building = false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.loaded.close();
  }

  private sentenceIndex(stored: SegmentSentences): SentenceIndex {
    const viewsOf = (source: LiveSource) => this.loaded.find(source)?.views ?? [];
    const covers = (source: LiveSource) =>
      this.loaded.find(source)?.views.every((view) => stored.isComplete(view)) ?? false;
    return {
      encoder: stored.encoder,
      covers,
      share: (source) => {
        const views = viewsOf(source);
        const chunks = views.reduce((sum, { segment }) => sum + segment.tables.chunkCount, 0);
        const done = views.reduce((sum, view) => sum + stored.count(view), 0);
        return chunks === 0 ? 1 : done / chunks;
      },
      nearest: async (query) => {
        if (query.encoder !== stored.encoder) return [];
        const { scope, terms, limit } = withinTenants({ ...query, corpus: [], identifiers: [] });
        const views = this.loaded.views(scope.filter(covers));
        const vectors = await this.queryVectors(query);
        const found = await stored.nearest(views, query);
        const chunks = new FileChunks(this.arenaMemory, terms, vectors, limit);
        return found.map(({ view, chunk, score }) => ({
          candidate: chunks.candidate(view, chunk),
          similarity: score,
        }));
      },
      next: async (sources, limit) => {
        for (const source of sources) {
          const related = this.loaded
            .sources()
            .filter((other) => other.tenantId === source.tenantId)
            .filter((other) => other.sourceId === source.sourceId)
            .flatMap(viewsOf);
          const batch = await stored.next(viewsOf(source), related, limit);
          if (batch) return batch;
        }
        return undefined;
      },
      add: (batch, vectors) => stored.add(batch, vectors),
    };
  }

  /** @throws FootnoteError `search_too_costly` instead of a SearchBudgetError. */
  private async search(query: CandidateQuery, ranking?: RankingQuery) {
    const {
      scope,
      corpus,
      terms,
      identifiers,
      limit,
      filter,
      retrievalVersion: version = RETRIEVAL_VERSION,
    } = withinTenants(query);
    for (const source of corpus) this.loaded.get(source);
    const tenant = [...query.tenants].sort().join(' ');
    const vectors = await this.queryVectors(query);
    // Generations may have been removed while the models were asked, so they are looked up again.
    // Those removed from here on are kept until the search ends.
    const [within, everything] = [this.loaded.views(scope), this.loaded.views(corpus)];
    const searched = filter ? null : within.reduce((sum, { liveChunks }) => sum + liveChunks, 0);
    const asked = { tenant, terms, identifiers, limit, filter, vectors, version };
    const posted = ranking && postedRanking(ranking, within, vectors, searched);
    try {
      const slices = await this.searcher.search(within, everything, asked, posted);
      return { slices, vectors, searched };
    } catch (error) {
      throw isSearchBudgetError(error) ? searchTooCostly() : error;
    }
  }

  /**
   * Reads text from disk; if it is damaged, repairs the source's segments from their packs and
   * reads again.
   */
  private async readingText<T>(
    source: LiveSource,
    read: (views: readonly SegmentView[]) => T,
  ): Promise<T> {
    try {
      return read(this.loaded.get(source).views);
    } catch (damage) {
      if (!(damage instanceof BadSectionsError)) throw damage;
      try {
        await this.loaded.repair(source, this.readBlob);
        return read(this.loaded.get(source).views);
      } catch {
        throw new FootnoteError(
          'engine_unavailable',
          'Content of this source is damaged and cannot be read; repeat the request',
          {
            retryAfter: 60,
            cause: damage,
          },
        );
      }
    }
  }

  private async queryVectors({
    scope,
    vectorFor,
  }: Pick<CandidateQuery, 'scope' | 'vectorFor'>): Promise<QueryVectors> {
    const models = [...new Set(scope.map((source) => this.loaded.get(source).record.embedder.id))];
    const vectors = await Promise.all(models.map((model) => vectorFor(model)));
    return new Map(
      models.flatMap((model, at): [string, QuantizedVector][] => {
        const vector = vectors[at];
        const quantized = vector ? quantize(vector) : null;
        return quantized && quantized.scale > 0 ? [[model, quantized]] : [];
      }),
    );
  }
}
