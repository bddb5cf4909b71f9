import { FootnoteError } from '#contracts';
import type { SharedMemory } from '#retrieval/wasm-functions';

import type { FoundSlice, SliceQuery } from '../scan/search-slice.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { Segment } from '../store/segment.js';
import { divide } from './divide.js';
import type { SliceAnswer } from './join-slices.js';
import type { ScopeSearcher } from './scope-searcher.js';
import { SearchThread } from './search-thread.js';
import type { PostedView, SearchThreadData } from './thread-protocol.js';

/** Some milliseconds of work; below that, another thread's help costs about what it saves. */
const MIN_CHUNKS_PER_SLICE = 40_000;
/** Concurrent searches; more are rejected, so that clients wait instead of this process. */
const MAX_SEARCHES = 2_000;

/** The input of one thread. */
interface AskedSlice {
  readonly scope: readonly SegmentView[];
  /** First and last chunk of each view, if they are not searched as a whole; see the protocol. */
  readonly parts?: Uint32Array;
  readonly corpus: readonly SegmentView[];
  readonly query: SliceQuery;
}

/**
 * Searches in threads that read the same memory: views are posted once, and a search posts names
 * and gets columns. A large scope is divided among idle threads. A dead thread is replaced by one
 * that gets all views; its searches are repeated once.
 */
export class ThreadedSearcher implements ScopeSearcher {
  private readonly threads: SearchThread[];
  private readonly views = new Map<SegmentView, PostedView>();
  private readonly segments = new Map<Segment, { readonly id: number; views: number }>();
  private lastId = 0;
  private closed = false;

  /**
   * @param count of threads, from 1 to one less than the scratches of a memory.
   * @param leastChunks minimum chunks of a slice of a divided scope.
   */
  constructor(
    private readonly memory: SharedMemory,
    count: number,
    private readonly leastChunks = MIN_CHUNKS_PER_SLICE,
    private readonly startThread = (data: SearchThreadData): SearchThread => new SearchThread(data),
  ) {
    this.threads = Array.from({ length: count }, (_, at) => this.start(at));
  }

  add(views: readonly SegmentView[]): void {
    const fresh = new Set(
      views.map(({ segment }) => segment).filter((segment) => !this.segments.has(segment)),
    );
    const posted = views.map((view) => this.register(view));
    for (const thread of this.threads) if (!thread.dead) this.post(thread, [...fresh], posted);
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
    const shares = divide(scope, idle, this.leastChunks);
    if (!shares)
      return [
        { scope, found: await this.searchIn(threads[0] as SearchThread, { scope, corpus, query }) },
      ];
    const [first, ...others] = shares.map(async (share, at): Promise<SliceAnswer> => {
      const views = share.map(({ view }) => view);
      const parts = Uint32Array.from(share.flatMap(({ from, to }) => [from, to]));
      const asked = { scope: views, parts, corpus, query };
      return { scope: views, found: await this.searchIn(threads[at] as SearchThread, asked) };
    });
    return Promise.all([first as Promise<SliceAnswer>, ...others]);
  }

  /** Repeats the search once if the thread dies during it, for any reason. */
  private async searchIn(
    thread: SearchThread,
    { scope, parts, corpus, query }: AskedSlice,
  ): Promise<FoundSlice> {
    const searchBy = async (searching: SearchThread): Promise<FoundSlice> => {
      const [views, everything] = [this.idsOf(scope), this.idsOf(corpus)];
      const question = { kind: 'search', scope: views, parts, corpus: everything, query } as const;
      const found = await searching.search(question);
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
      if (!dead) return;
      const thread = this.start(at);
      this.threads[at] = thread;
      this.post(thread, [...this.segments.keys()], [...this.views.values()]);
    });
    return [...this.threads].sort((a, b) => a.load - b.load);
  }

  private start(at: number): SearchThread {
    return this.startThread({ memory: this.memory, vectorScratch: at + 1 });
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
