import { Worker } from 'node:worker_threads';

import { FootnoteError } from '#contracts';

import type { FoundPart } from '../scan/search-part.js';
import type {
  SearchThreadAddition,
  SearchThreadData,
  SearchThreadQuestion,
  SearchThreadReply,
  SearchThreadRequest,
} from './thread-protocol.js';

/** Longer than any search takes; a thread that is over it is ended, and its other searches with it. */
const TIMEOUT_MS = 30_000;
/** Short-lived objects of a thread. V8's own choice grows with the machine's memory. */
const YOUNG_GENERATION_MIB = 16;

interface Waiting {
  readonly resolve: (found: FoundPart | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One thread that searches. Dead once it has failed. */
export class SearchThread {
  dead = false;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastRequest = 0;

  constructor(data: SearchThreadData) {
    this.worker = new Worker(new URL('./search.worker.js', import.meta.url), {
      name: 'search',
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    // What is asked keeps the process alive by its timer; an idle thread does not.
    this.worker.unref();
    this.worker.on('message', (reply: SearchThreadReply) => this.settle(reply));
    this.worker.on('error', (error: Error) => this.die(error));
    this.worker.on('exit', () => this.die(new Error('the thread ended')));
  }

  /** How many answers it owes. */
  get load(): number {
    return this.waiting.size;
  }

  tell(message: SearchThreadAddition): void {
    this.worker.postMessage(message satisfies SearchThreadRequest);
  }

  /** @throws FootnoteError `engine_unavailable` when the thread dies first or takes too long; Error for a defect. */
  ask(question: SearchThreadQuestion): Promise<FoundPart | undefined> {
    return new Promise((resolve, reject) => {
      const request = (this.lastRequest += 1);
      const timer = setTimeout(() => this.die(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
      this.waiting.set(request, { resolve, reject, timer });
      this.worker.postMessage({ ...question, request } satisfies SearchThreadRequest);
    });
  }

  async end(): Promise<void> {
    this.die(new Error('the index is closed'));
    await this.worker.terminate();
  }

  private settle(reply: SearchThreadReply): void {
    const waiting = this.waiting.get(reply.request);
    if (!waiting) return;
    this.waiting.delete(reply.request);
    clearTimeout(waiting.timer);
    if ('error' in reply) waiting.reject(new Error(`A search thread failed: ${reply.error}`));
    else waiting.resolve(reply.found);
  }

  private die(cause: Error): void {
    if (this.dead) return;
    this.dead = true;
    void this.worker.terminate();
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new FootnoteError('engine_unavailable', 'The search index has to start anew.', { retryAfter: 1, cause }));
    }
    this.waiting.clear();
  }
}
