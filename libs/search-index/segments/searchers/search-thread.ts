import { FootnoteError } from '#contracts';
import { ThreadClient } from '#platform';

import type { FoundSlice } from '../scan/found-slice.js';
import type {
  SearchQuestion,
  SearchThreadAddition,
  SearchThreadData,
  SearchThreadQuestion,
  SearchThreadRequest,
} from './thread-protocol.js';

/**
 * Time for one answer, including its turns behind other tenants' searches. A late answer fails only
 * its request.
 */
const TIMEOUT_MS = 30_000;
/**
 * A thread that does not answer a ping within this time, after a late answer, is stuck and is
 * ended.
 */
const PING_TIMEOUT_MS = 10_000;
/** Memory for short-lived objects of a thread. V8's default grows with the machine's memory. */
const YOUNG_GENERATION_MIB = 16;

const SENTENCES = {
  busy: 'The search index is overloaded; retry in 1 s',
  late: 'The search waited too long for other searches; retry in 1 s',
  died: 'The search index restarts; retry in 1 s',
  closed: 'The search index restarts; retry in 1 s',
};

/** One search thread. It is dead after a failure. */
export class SearchThread {
  private readonly thread: ThreadClient<SearchThreadRequest>;
  private pinging = false;

  constructor(data: SearchThreadData) {
    this.thread = new ThreadClient<SearchThreadRequest>({
      entry: new URL('./search.worker.js', import.meta.url),
      name: 'search',
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      // A request keeps the process alive by its timer; an idle thread does not.
      unref: true,
      // The concurrent searches are limited over all threads.
      maxPending: Infinity,
      errorFor: (trouble, cause) => {
        if (trouble === 'late') this.ping();
        return new FootnoteError('engine_unavailable', SENTENCES[trouble], {
          retryAfter: 1,
          cause,
        });
      },
    });
  }

  get dead(): boolean {
    return this.thread.isOver;
  }

  /** Resolves with the reason when the thread dies by itself. */
  get died(): Promise<Error> {
    return this.thread.died;
  }

  /** Number of pending answers. */
  get load(): number {
    return this.thread.load;
  }

  /** Posts an addition. An error in the thread ends it: a new thread gets all additions again. */
  tell(message: SearchThreadAddition): void {
    this.thread.tell(message);
  }

  /**
   * @throws FootnoteError `engine_unavailable` if the thread dies first or takes too long; an error
   * named `SearchBudgetError` if the search takes too much processor time; Error for a defect.
   */
  search(question: SearchQuestion): Promise<FoundSlice | undefined> {
    return this.thread.ask(question, { timeoutMs: TIMEOUT_MS });
  }

  /** Resolves when no search reads the views any more: they are removed, or the thread is dead. */
  async remove(question: SearchThreadQuestion & { readonly kind: 'remove' }): Promise<void> {
    // Without a timeout, because the views may be closed only when this resolves.
    const watch = setInterval(() => this.ping(), TIMEOUT_MS);
    try {
      await this.thread.ask(question);
    } catch (error) {
      if (!this.dead) throw error;
    } finally {
      clearInterval(watch);
    }
  }

  /** Ends the thread if it is stuck. */
  private ping(): void {
    if (this.pinging || this.dead) return;
    this.pinging = true;
    void this.thread
      .ask({ kind: 'ping' }, { timeoutMs: PING_TIMEOUT_MS })
      .catch((cause: unknown) =>
        this.thread.kill(new Error('the search thread is stuck', { cause })),
      )
      .finally(() => (this.pinging = false));
  }

  async end(): Promise<void> {
    await this.thread.kill(new Error('the index is closed'));
  }
}
