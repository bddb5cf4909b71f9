import { FootnoteError } from '#contracts';
import { ThreadClient } from '#platform';

import type { FoundShare } from '../scan/search-share.js';
import type {
  SearchThreadAddition,
  SearchThreadData,
  SearchThreadQuestion,
  SearchThreadRequest,
} from './thread-protocol.js';

/** Longer than any search takes; a thread that is over it is ended, and its other searches with it. */
const TIMEOUT_MS = 30_000;
/** Short-lived objects of a thread. V8's own choice grows with the machine's memory. */
const YOUNG_GENERATION_MIB = 16;

/** One thread that searches. Dead once it has failed. */
export class SearchThread {
  private readonly thread: ThreadClient<SearchThreadRequest>;

  constructor(data: SearchThreadData) {
    this.thread = new ThreadClient<SearchThreadRequest>({
      entry: new URL('./search.worker.js', import.meta.url),
      name: 'search',
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      // What is asked keeps the process alive by its timer; an idle thread does not.
      unref: true,
      // The searches under way are bounded over all threads.
      maxPending: Infinity,
      lateEnds: true,
      errorFor: (_, cause) =>
        new FootnoteError('engine_unavailable', 'The search index has to start anew.', { retryAfter: 1, cause }),
    });
  }

  get dead(): boolean {
    return this.thread.isOver;
  }

  /** Resolves with the reason when it dies by itself. */
  get died(): Promise<Error> {
    return this.thread.died;
  }

  /** How many answers it owes. */
  get load(): number {
    return this.thread.load;
  }

  /** What it cannot take in ends it: a new thread is told everything anew. */
  tell(message: SearchThreadAddition): void {
    this.thread.tell(message);
  }

  /** @throws FootnoteError `engine_unavailable` when the thread dies first or takes too long; Error for a defect. */
  ask(question: SearchThreadQuestion): Promise<FoundShare | undefined> {
    return this.thread.ask(question, { timeoutMs: TIMEOUT_MS });
  }

  async end(): Promise<void> {
    await this.thread.kill(new Error('the index is closed'));
  }
}
