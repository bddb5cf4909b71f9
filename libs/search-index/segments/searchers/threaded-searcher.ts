import { FootnoteError } from '#contracts';
import type { SharedMemory } from '#retrieval/wasm-functions';

import type { FoundSlice } from '../scan/found-slice.js';
import type { SliceQuery } from '../scan/search-slice.js';
import { hasSignatures } from '../scan/searched-view.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { Segment } from '../store/segment.js';
import { divide } from './divide.js';
import type { SliceAnswer } from './join-slices.js';
import type { PostedRanking } from './posted-ranking.js';
import type { ScopeSearcher } from './scope-searcher.js';
import { SearchThread } from './search-thread.js';
import type { PostedView, SearchThreadData } from './thread-protocol.js';

/** Some milliseconds of work; below that, another thread's help costs about what it saves. */
const MIN_CHUNKS_PER_SLICE = 40_000;
/** From this size on, words and vectors take a millisecond and more each. */
const MIN_CHUNKS_BY_RETRIEVER = 200_000;
/** Concurrent searches; more are rejected, so that clients wait instead of this process. */
const MAX_SEARCHES = 2_000;

/** The input of one thread. */
interface AskedSlice {
  readonly scope: readonly SegmentView[];
  /** First and last chunk of each view, if they are not searched as a whole; see the protocol. */
  readonly parts?: Uint32Array;
  readonly corpus: readonly SegmentView[];
  readonly query: SliceQuery;
  readonly ranking?: PostedRanking | undefined;
}

/** Options of a {@link ThreadedSearcher}. */
export interface ThreadedSearcherOptions {
  /** Threads to start when the index is large enough for a division by retrievers. Default: 0. */
  readonly spare?: number;
  /** Minimum chunks of a slice of a divided scope. Default: 40,000. */
  readonly leastChunks?: number;
  /** Minimum chunks of a scope that is divided by retrievers. Default: 200,000. */
  readonly leastByRetriever?: number;
  readonly startThread?: (data: SearchThreadData) => SearchThread;
}

/**
 * Searches in threads that read the same memory: views are posted once, and a search posts names
 * and gets columns. A large scope is divided among idle threads: by its chunks, or if the cut of
 * the vectors needs all of them, by retrievers. A dead thread is replaced by one that gets all
 * views; its searches are repeated once.
 */
export class ThreadedSearcher implements ScopeSearcher {
  private readonly options: Required<ThreadedSearcherOptions>;
  private readonly threads: SearchThread[];
  private readonly views = new Map<SegmentView, PostedView>();
  private readonly segments = new Map<Segment, { readonly id: number; views: number }>();
  private lastId = 0;
  private closed = false;

  /** @param count of threads; with the spare ones fewer than the scratches of a memory. */
  constructor(
    private readonly memory: SharedMemory,
    private readonly count: number,
    options: ThreadedSearcherOptions = {},
  ) {
    this.options = {
      spare: 0,
      leastChunks: MIN_CHUNKS_PER_SLICE,
      leastByRetriever: MIN_CHUNKS_BY_RETRIEVER,
      startThread: (data) => new SearchThread(data),
      ...options,
    };
    this.threads = Array.from({ length: count }, (_, at) => this.start(at));
  }

  add(views: readonly SegmentView[]): void {
    const fresh = new Set(
      views.map(({ segment }) => segment).filter((segment) => !this.segments.has(segment)),
    );
    const posted = views.map((view) => this.register(view));
    for (const thread of this.threads) if (!thread.dead) this.post(thread, [...fresh], posted);
    const { spare, leastByRetriever } = this.options;
    const isLarge = spare > 0 && chunksOf([...this.segments.keys()]) >= leastByRetriever;
    const most = this.count + (isLarge ? spare : 0);
    while (this.threads.length < most) this.threads.push(this.startWithViews(this.threads.length));
  }

  async remove(views: readonly SegmentView[]): Promise<void> {
    const ids = views.flatMap((view) => this.views.get(view)?.id ?? []);
    const segments = views.flatMap((view) => this.unregister(view));
    const message = { kind: 'remove', views: ids, segments } as const;
    const living = this.threads.filter(({ dead }) => !dead);
    await Promise.all(living.map((thread) => thread.remove(message)));
  }

  async search(
    scope: readonly SegmentView[],
    corpus: readonly SegmentView[],
    query: SliceQuery,
    ranking?: PostedRanking,
  ): Promise<readonly [SliceAnswer, ...SliceAnswer[]]> {
    const threads = this.living();
    if (threads.reduce((sum, { load }) => sum + load, 0) >= MAX_SEARCHES) {
      throw new FootnoteError(
        'engine_unavailable',
        'The search index is overloaded; repeat the request',
        {
          retryAfter: 1,
        },
      );
    }
    const idle = threads.filter(({ load }) => load === 0).length;
    const shares = divide(scope, idle, this.options.leastChunks);
    if (!shares && idle > 1 && this.isDividedByRetriever(scope)) {
      const by = async (thread: SearchThread, only: 'words' | 'vectors'): Promise<SliceAnswer> => {
        const asked = { scope, corpus: only === 'words' ? corpus : [], query: { ...query, only } };
        return { scope, only, found: await this.searchIn(thread, asked) };
      };
      const [first, second] = threads as [SearchThread, SearchThread];
      return Promise.all([by(first, 'words'), by(second, 'vectors')]);
    }
    if (!shares) {
      const whole = { scope, corpus, query, ranking };
      return [{ scope, found: await this.searchIn(threads[0] as SearchThread, whole) }];
    }
    const [first, ...others] = shares.map(async (share, at): Promise<SliceAnswer> => {
      const views = share.map(({ view }) => view);
      const parts = Uint32Array.from(share.flatMap(({ from, to }) => [from, to]));
      const asked = { scope: views, parts, corpus, query };
      return { scope: views, found: await this.searchIn(threads[at] as SearchThread, asked) };
    });
    return Promise.all([first as Promise<SliceAnswer>, ...others]);
  }

  private isDividedByRetriever(scope: readonly SegmentView[]): boolean {
    const segments = scope.map(({ segment }) => segment);
    return chunksOf(segments) >= this.options.leastByRetriever && segments.every(hasSignatures);
  }

  /** Repeats the search once if the thread dies during it, for any reason. */
  private async searchIn(
    thread: SearchThread,
    { scope, parts, corpus, query, ranking }: AskedSlice,
  ): Promise<FoundSlice> {
    const searchBy = async (searching: SearchThread): Promise<FoundSlice> => {
      const views = { scope: this.idsOf(scope), corpus: this.idsOf(corpus) };
      const found = await searching.search({ kind: 'search', ...views, parts, query, ranking });
      if (!found) throw new Error('A search thread returned no answer to a search');
      return found;
    };
    try {
      return await searchBy(thread);
    } catch (error) {
      const [idlest] = thread.dead ? this.living() : [];
      if (!idlest) throw error;
      return searchBy(idlest);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.threads.map((thread) => thread.end()));
  }

  /** Returns the threads, the idlest first; dead ones are replaced. */
  private living(): SearchThread[] {
    if (this.closed) throw new FootnoteError('shutting_down', 'The search index is closed');
    this.threads.forEach(({ dead }, at) => {
      if (dead) this.threads[at] = this.startWithViews(at);
    });
    return [...this.threads].sort((a, b) => a.load - b.load);
  }

  private start(at: number): SearchThread {
    return this.options.startThread({ memory: this.memory, vectorScratch: at + 1 });
  }

  private startWithViews(at: number): SearchThread {
    const thread = this.start(at);
    this.post(thread, [...this.segments.keys()], [...this.views.values()]);
    return thread;
  }

  private post(
    thread: SearchThread,
    segments: readonly Segment[],
    views: readonly PostedView[],
  ): void {
    const shared = segments.map((segment) => ({
      id: this.segments.get(segment)?.id as number,
      shared: segment.shared,
    }));
    thread.tell({ kind: 'add', segments: shared, views });
  }

  private register(view: SegmentView): PostedView {
    const { segment, embedderId, dropped, liveChunks, liveLength } = view;
    const known = this.segments.get(segment) ?? { id: (this.lastId += 1), views: 0 };
    known.views += 1;
    this.segments.set(segment, known);
    const id = (this.lastId += 1);
    const posted = { id, segment: known.id, embedderId, dropped, liveChunks, liveLength };
    this.views.set(view, posted);
    return posted;
  }

  /** @returns the id of the view's segment if no other view has it. */
  private unregister(view: SegmentView): number[] {
    const known = this.segments.get(view.segment);
    if (!this.views.delete(view) || !known || --known.views > 0) return [];
    this.segments.delete(view.segment);
    return [known.id];
  }

  private idsOf(views: readonly SegmentView[]): Uint32Array {
    return Uint32Array.from(views, (view) => this.idOf(view));
  }

  private idOf(view: SegmentView): number {
    const posted = this.views.get(view);
    if (posted) return posted.id;
    throw new FootnoteError('engine_unavailable', 'The index is changing; repeat the search', {
      retryAfter: 1,
    });
  }
}

function chunksOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tables }) => sum + tables.chunkCount, 0);
}
