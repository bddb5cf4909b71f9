import { setImmediate as nextTurn } from 'node:timers/promises';

import { AcceptedChunks } from '../scan/accepted-chunks.js';
import { CorpusCache } from '../scan/corpus-cache.js';
import type { FoundSlice } from '../scan/found-slice.js';
import { SCAN_LIMITS, type ScanLimits, ScanPace, type Steps } from '../scan/scan-pace.js';
import { createScratch, type Scratch } from '../scan/scratch.js';
import { SearchScope } from '../scan/search-scope.js';
import { searchSlice, type SliceQuery } from '../scan/search-slice.js';
import type { SearchedSegment, SearchedView } from '../scan/searched-view.js';
import type { VectorTools } from '../scan/vector-tools.js';
import { WordDirectories } from '../scan/word-directories.js';
import { KeptForRanking } from './kept-for-ranking.js';
import type { PostedRanking } from './posted-ranking.js';
import { rankSlice } from './rank-slice.js';

/** Number of scratches that are kept for later searches. */
const MAX_KEPT_SCRATCHES = 2;
/** Work of adding a string to a directory, in nanoseconds. */
const UNITS_A_LISTED_STRING = 200;
/** Work of ranking a chunk, in nanoseconds. */
const UNITS_A_RANKED_CHUNK = 2_000;

/** A search, or the listing of new segments. */
interface Work {
  readonly pace: ScanPace;
  /** @returns whether the work is done. */
  readonly step: () => boolean;
  readonly fail: (error: unknown) => void;
}

interface RankedSearch {
  readonly query: SliceQuery;
  readonly ranking: PostedRanking;
  readonly pace: ScanPace;
}

/**
 * Runs the searches of one thread in slices of processor time, with the tenants in turn. So a long
 * search delays another tenant's by one slice at a time. The searches of one tenant run one after
 * the other.
 */
export class SearchTurns {
  /** Waiting searches by tenant; the first tenant is the next. */
  private readonly waiting = new Map<string, Work[]>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly accepted = new AcceptedChunks();
  private readonly words = { directories: new WordDirectories(), corpora: new CorpusCache() };
  private readonly scratches: Scratch[] = [];
  private readonly kept = new KeptForRanking();
  private working = false;

  constructor(
    private readonly vectorTools: VectorTools,
    private readonly limits: ScanLimits = SCAN_LIMITS,
  ) {}

  /**
   * @param scope views to search as a whole, or a scope with parts of views.
   * @param ranking of the result; only for views that are searched as a whole.
   * @throws SearchBudgetError if this search uses up its processor time; others are not affected.
   */
  run(
    scope: readonly SearchedView[] | SearchScope,
    corpus: readonly SearchedView[],
    query: SliceQuery,
    ranking?: PostedRanking,
  ): Promise<FoundSlice> {
    const pace = new ScanPace(this.limits);
    const searching = this.steps(scope, corpus, query, pace);
    const steps = ranking ? this.ranked(searching, scope, { query, ranking, pace }) : searching;
    return this.queue(query.tenant, pace, steps);
  }

  /**
   * Lists segments in the directories of words, in turns of their tenant. Searches are right before
   * and after it. It has no budget: its work is linear in the segments.
   */
  add(segments: readonly SearchedSegment[]): void {
    for (const [tenant, added] of Map.groupBy(segments, ({ tables }) => tables.meta.tenant_id)) {
      const pace = new ScanPace({ ...this.limits, budgetMs: Infinity });
      // A defect must not leave half a listing: its rejection is not handled and ends the thread.
      void this.queue(tenant, pace, this.listing(added, pace)).then(() => undefined);
    }
  }

  /** Resolves when no search reads the segments any more, and nothing here refers to them. */
  async remove(segments: readonly SearchedSegment[]): Promise<void> {
    await this.settled();
    for (const segment of segments) this.words.directories.remove(segment);
    this.words.corpora.forget(new Set(segments));
  }

  /** Resolves when all current searches, running or waiting, have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let next = this.next(); next; next = this.next()) {
      const [tenant, queue] = next;
      this.waiting.delete(tenant);
      if (this.runSlice(queue[0] as Work)) queue.shift();
      if (queue.length > 0) this.waiting.set(tenant, queue);
      // Lets new requests in.
      if (this.waiting.size > 0) await nextTurn();
    }
    this.working = false;
  }

  private next(): [tenant: string, queue: Work[]] | undefined {
    for (const entry of this.waiting) return entry;
    return undefined;
  }

  /** @returns whether the work ended. */
  private runSlice({ pace, step, fail }: Work): boolean {
    try {
      pace.resume();
      return step();
    } catch (error) {
      fail(error);
      return true;
    }
  }

  private queue<T>(tenant: string, pace: ScanPace, steps: Steps<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const step = (): boolean => {
      const { done, value } = steps.next();
      if (done) resolve(value);
      return done === true;
    };
    const work = { pace, step, fail: reject };
    const queue = this.waiting.get(tenant);
    if (queue) queue.push(work);
    else this.waiting.set(tenant, [work]);
    const ended: Promise<unknown> = promise.catch(() => undefined);
    this.pending.add(ended);
    void ended.then(() => this.pending.delete(ended));
    if (!this.working) void this.work();
    return promise;
  }

  private *listing(segments: readonly SearchedSegment[], pace: ScanPace): Steps<void> {
    for (const segment of segments) {
      this.words.directories.add(segment);
      pace.spend(UNITS_A_LISTED_STRING * segment.tables.terms.size);
      if (pace.isDue) yield;
    }
  }

  private *ranked(
    searching: Steps<FoundSlice>,
    scope: readonly SearchedView[] | SearchScope,
    { query, ranking, pace }: RankedSearch,
  ): Steps<FoundSlice> {
    if (scope instanceof SearchScope) throw new Error('Only whole views can be ranked');
    const found = yield* searching;
    pace.spend(UNITS_A_RANKED_CHUNK * found.chunks.length);
    if (pace.isDue) yield;
    return rankSlice(scope, found, query.vectors, ranking, this.kept);
  }

  private *steps(
    scope: readonly SearchedView[] | SearchScope,
    corpus: readonly SearchedView[],
    query: SliceQuery,
    pace: ScanPace,
  ): Steps<FoundSlice> {
    const scratch = this.scratches.pop() ?? createScratch();
    const searched = scope instanceof SearchScope ? scope : this.words.corpora.of(scope).whole;
    const found = yield* searchSlice(searched, corpus, query, {
      vectorTools: this.vectorTools,
      scratch,
      accepted: this.accepted,
      words: this.words,
      pace,
    });
    // The scratch of a failed search is not clean and is dropped.
    if (this.scratches.length < MAX_KEPT_SCRATCHES) this.scratches.push(scratch);
    return found;
  }
}
