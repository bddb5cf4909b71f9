import { FootnoteError } from '#contracts';
import type { SharedMemory } from '#retrieval/wasm-functions';

import type { FoundShare, ShareQuery } from '../scan/search-share.js';
import type { ViewRange } from '../scan/searched-view.js';
import { LANES } from '../scan/vector-lane.js';
import type { SegmentView } from '../store/loaded-generation.js';
import type { Segment } from '../store/segment.js';
import { divide } from './divide.js';
import type { ShareAnswer } from './join-shares.js';
import type { ScopeSearcher } from './scope-searcher.js';
import { SearchThread } from './search-thread.js';
import type { PostedView, SearchThreadData } from './thread-protocol.js';

/** Some milliseconds' work: below it another thread's help costs about what it saves. */
const LEAST_CHUNKS_A_SHARE = 40_000;
/** Searches under way; more are refused, so that a crowd waits in its clients and not here. */
const MAX_SEARCHES = 2_000;

/** As many threads as a memory has lanes, but for its owner's. */
const MAX_SEARCH_THREADS = LANES - 1;

/**
 * Searches in threads that read the same memory: views are posted once, and a search posts names
 * and gets columns. A large scope is divided among those that have nothing else to do. A thread
 * that died is replaced by one that gets all views; the searches that it had are run once more.
 */
export class ThreadedSearcher implements ScopeSearcher {
  private readonly threads: SearchThread[];
  private readonly views = new Map<SegmentView, PostedView>();
  private readonly segments = new Map<Segment, { readonly id: number; views: number }>();
  private lastId = 0;
  private closed = false;

  /**
   * @param count of threads, 1 to {@link MAX_SEARCH_THREADS}.
   * @param leastChunks that a share of a divided scope has.
   */
  constructor(
    private readonly memory: SharedMemory,
    count: number,
    private readonly leastChunks = LEAST_CHUNKS_A_SHARE,
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
    query: ShareQuery,
  ): Promise<readonly [ShareAnswer, ...ShareAnswer[]]> {
    const threads = this.living();
    if (threads.reduce((sum, { load }) => sum + load, 0) >= MAX_SEARCHES) {
      throw new FootnoteError('engine_unavailable', 'The search index has too much to do.', {
        retryAfter: 1,
      });
    }
    const idle = threads.filter(({ load }) => load === 0).length;
    const [first, ...others] = divide(scope, idle, this.leastChunks).map(
      async (share, at): Promise<ShareAnswer> => {
        return {
          scope: share,
          found: await this.searchIn(threads[at] as SearchThread, share, corpus, query),
        };
      },
    );
    return Promise.all([first as Promise<ShareAnswer>, ...others]);
  }

  /** Searches once more where the thread dies meanwhile, whoever made it die. */
  private async searchIn(
    thread: SearchThread,
    share: readonly ViewRange<SegmentView>[],
    corpus: readonly SegmentView[],
    query: ShareQuery,
  ): Promise<FoundShare> {
    const searchBy = async (searching: SearchThread): Promise<FoundShare> => {
      const scope = share.map(({ view, from, to }) => [this.idOf(view), from, to] as const);
      const everything = corpus.map((view) => this.idOf(view));
      const found = await searching.search({ kind: 'search', scope, corpus: everything, query });
      if (!found) throw new Error('A search thread answered a search with nothing');
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

  /** The threads, the idlest first; those that died are replaced. */
  private living(): SearchThread[] {
    if (this.closed) throw new FootnoteError('shutting_down', 'The search index is closed.');
    this.threads.forEach(({ dead }, at) => {
      if (!dead) return;
      const thread = this.start(at);
      this.threads[at] = thread;
      this.post(thread, [...this.segments.keys()], [...this.views.values()]);
    });
    return [...this.threads].sort((a, b) => a.load - b.load);
  }

  private start(at: number): SearchThread {
    return this.startThread({ memory: this.memory, lane: at + 1 });
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

  /** @returns the id of the view's segment when no other view has it. */
  private unregister(view: SegmentView): number[] {
    const known = this.segments.get(view.segment);
    if (!this.views.delete(view) || !known || --known.views > 0) return [];
    this.segments.delete(view.segment);
    return [known.id];
  }

  private idOf(view: SegmentView): number {
    const posted = this.views.get(view);
    if (posted) return posted.id;
    throw new FootnoteError('engine_unavailable', 'The index is changing; repeat the search', {
      retryAfter: 1,
    });
  }
}
