import { setImmediate as nextTurn } from 'node:timers/promises';

import { AcceptedChunks } from '../scan/accepted-chunks.js';
import { createScratch, type Scratch } from '../scan/retrievers.js';
import { SCAN_LIMITS, type ScanLimits, ScanPace, type Steps } from '../scan/scan-pace.js';
import { type FoundSlice, searchSlice, type SliceQuery } from '../scan/search-slice.js';
import type { SearchedView, ViewRange } from '../scan/searched-view.js';
import type { VectorScratch } from '../scan/vector-scratch.js';

/** Number of scratches that are kept for later searches. */
const MAX_KEPT_SCRATCHES = 2;

interface Search {
  readonly steps: Steps<FoundSlice>;
  readonly pace: ScanPace;
  readonly settle: PromiseWithResolvers<FoundSlice>;
}

/**
 * Runs the searches of one thread in slices of processor time, with the tenants in turn. So a long
 * search delays another tenant's by one slice at a time. The searches of one tenant run one after
 * the other.
 */
export class SearchTurns {
  /** Waiting searches by tenant; the first tenant is the next. */
  private readonly waiting = new Map<string, Search[]>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly accepted = new AcceptedChunks();
  private readonly scratches: Scratch[] = [];
  private working = false;

  constructor(
    private readonly vectorScratch: VectorScratch,
    private readonly limits: ScanLimits = SCAN_LIMITS,
  ) {}

  /**
   * @throws SearchBudgetError if this search uses up its processor time; others are not affected.
   */
  run(
    scope: readonly ViewRange[],
    corpus: readonly SearchedView[],
    query: SliceQuery,
  ): Promise<FoundSlice> {
    const pace = new ScanPace(this.limits);
    const settle = Promise.withResolvers<FoundSlice>();
    const search = { steps: this.steps(scope, corpus, query, pace), pace, settle };
    const queue = this.waiting.get(query.tenant);
    if (queue) queue.push(search);
    else this.waiting.set(query.tenant, [search]);
    const ended: Promise<unknown> = settle.promise.catch(() => undefined);
    this.pending.add(ended);
    void ended.then(() => this.pending.delete(ended));
    if (!this.working) void this.work();
    return settle.promise;
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
      if (this.runSlice(queue[0] as Search)) queue.shift();
      if (queue.length > 0) this.waiting.set(tenant, queue);
      // Lets new requests in.
      if (this.waiting.size > 0) await nextTurn();
    }
    this.working = false;
  }

  private next(): [tenant: string, queue: Search[]] | undefined {
    for (const entry of this.waiting) return entry;
    return undefined;
  }

  /** @returns whether the search ended. */
  private runSlice({ steps, pace, settle }: Search): boolean {
    try {
      pace.resume();
      const { done, value } = steps.next();
      if (!done) return false;
      settle.resolve(value);
    } catch (error) {
      settle.reject(error);
    }
    return true;
  }

  private *steps(
    scope: readonly ViewRange[],
    corpus: readonly SearchedView[],
    query: SliceQuery,
    pace: ScanPace,
  ): Steps<FoundSlice> {
    const scratch = this.scratches.pop() ?? createScratch();
    const found = yield* searchSlice(scope, corpus, query, {
      vectorScratch: this.vectorScratch,
      scratch,
      accepted: this.accepted,
      pace,
    });
    // The scratch of a failed search is not clean and is dropped.
    if (this.scratches.length < MAX_KEPT_SCRATCHES) this.scratches.push(scratch);
    return found;
  }
}
