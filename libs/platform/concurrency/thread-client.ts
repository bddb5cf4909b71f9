// Its counter is for all threads, and must exist before the first of them.
import '../process/baseline-compiler.js';

import { type ResourceLimits, Worker } from 'node:worker_threads';

import {
  type Answer,
  errorOfFault,
  type Fault,
  OPENED,
  type Question,
  type ThreadMessage,
  TOLD,
} from './thread-protocol.js';
import type { Transferable } from './transferables.js';

/**
 * Reason for a missing answer: too many requests wait, the request timed out, the thread died, or
 * it was closed.
 */
export type ThreadTrouble = 'busy' | 'late' | 'died' | 'closed';

/**
 * Limits of a thread that keeps few short-lived objects. V8 would otherwise let them fill 48 MiB
 * before it collects them (`--max-semi-space-size`).
 */
export const SMALL_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

export interface ThreadOptions<News> {
  /** The thread's entry file, which runs a `ThreadServer`. */
  readonly entry: URL;
  /** Name of the thread in debuggers and listings. */
  readonly name: string;
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /**
   * Lets the process end while the thread has no request. Default false.
   */
  readonly unref?: boolean;
  /** Maximum number of pending requests. Default 10,000. */
  readonly maxPending?: number;
  /**
   * Ends the thread, with every other request, when a request times out. Default false: only that
   * request fails.
   */
  readonly lateEnds?: boolean;
  /** Returns the error of a rejected request. Default: its cause. */
  readonly errorFor?: (trouble: ThreadTrouble, cause: Error) => Error;
  /**
   * Converts an error of the thread for its caller. Default: one with the same name, message and
   * fields.
   */
  readonly errorOf?: (fault: Fault) => Error;
  readonly onNews?: (news: News) => void;
}

export interface AskOptions {
  /** Milliseconds that the answer may take. Default: no limit while the thread lives. */
  readonly timeoutMs?: number;
  readonly transfer?: readonly Transferable[];
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * A worker thread that answers requests. Every request ends: with its answer, its error, its
 * timeout, or the death of the thread. A death fails all requests at once and is reported by
 * `died`. A dead thread is never restarted; create a new one.
 */
export class ThreadClient<Request, News = never> {
  /**
   * Resolves with the reason when the thread ends without `close`; its requests are rejected by
   * then.
   */
  readonly died: Promise<Error>;
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private readonly tellDeath: (reason: Error) => void;
  private readonly greeting = Promise.withResolvers<unknown>();
  private ended: { readonly trouble: 'died' | 'closed'; readonly cause: Error } | null = null;
  private closing = false;
  private lastId = 0;

  constructor(private readonly options: ThreadOptions<News>) {
    ({ promise: this.died, resolve: this.tellDeath } = Promise.withResolvers<Error>());
    this.greeting.promise.catch(() => undefined);
    const { entry, name, workerData, resourceLimits } = options;
    this.worker = new Worker(entry, {
      name,
      workerData,
      ...(resourceLimits ? { resourceLimits } : {}),
    });
    this.worker.on('message', (message: ThreadMessage<News>) => this.receive(message));
    this.worker.on('messageerror', (error) => this.die(error));
    this.worker.on('error', (error) => this.die(error as Error));
    this.worker.on('exit', (code) =>
      this.die(new Error(`The ${name} thread ended with code ${code}`)),
    );
    // After the listeners: the first one of `message` refers to the thread again.
    this.refWhileBusy();
  }

  /** True if it died or was closed; every request is rejected. */
  get isOver(): boolean {
    return this.ended !== null || this.closing;
  }

  /** Number of pending answers. */
  get load(): number {
    return this.pending.size;
  }

  /**
   * Resolves with the first message of a thread that reports its open. A thread that cannot open is
   * ended.
   * @throws the error of the open; the errors of {@link ask}.
   */
  async opened<Value>({ timeoutMs }: Pick<AskOptions, 'timeoutMs'> = {}): Promise<Value> {
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => this.greeting.reject(this.errorFor('late', this.lateAfter(timeoutMs))),
            timeoutMs,
          );
    try {
      return (await this.greeting.promise) as Value;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws the error of the thread; the error of `errorFor` without an answer. */
  ask<Value>(request: Request, { timeoutMs, transfer = [] }: AskOptions = {}): Promise<Value> {
    const { maxPending = 10_000, lateEnds = false, name } = this.options;
    if (this.ended) return Promise.reject(this.errorFor(this.ended.trouble, this.ended.cause));
    if (this.closing) return Promise.reject(this.errorFor('closed', closed(name)));
    if (this.pending.size >= maxPending) {
      return Promise.reject(
        this.errorFor('busy', new Error(`${maxPending} requests wait for the ${name} thread`)),
      );
    }
    const id = (this.lastId += 1);
    return new Promise<Value>((resolve, reject) => {
      const late = (): void => {
        const cause = this.lateAfter(timeoutMs ?? 0);
        if (lateEnds) return this.die(cause);
        this.pending.delete(id);
        this.refWhileBusy();
        reject(this.errorFor('late', cause));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.refWhileBusy();
      this.post({ id, body: request }, transfer);
    });
  }

  /**
   * Sends a message that needs no answer. The thread processes it before later requests, or dies of
   * its error.
   */
  tell(request: Request, transfer: readonly Transferable[] = []): void {
    if (!this.isOver) this.post({ id: TOLD, body: request }, transfer);
  }

  /**
   * Sends a last request, if any, and ends the thread, which is gone when this resolves.
   * @throws the error of the last request.
   */
  async close(
    farewell?: Request,
    { timeoutMs }: Pick<AskOptions, 'timeoutMs'> = {},
  ): Promise<void> {
    const last =
      farewell === undefined || this.isOver
        ? undefined
        : this.ask(farewell, timeoutMs === undefined ? {} : { timeoutMs });
    this.closing = true;
    try {
      await last;
    } finally {
      this.end('closed', closed(this.options.name));
      await this.worker.terminate();
    }
  }

  /** Ends the thread at once; its requests are rejected with the reason. */
  async kill(reason: Error): Promise<void> {
    this.end('closed', reason);
    await this.worker.terminate();
  }

  private post(question: Question<Request>, transfer: readonly Transferable[]): void {
    this.worker.postMessage(question, [...transfer]);
  }

  private receive({ news, answers = [], fatal }: ThreadMessage<News>): void {
    if (news !== undefined) this.options.onNews?.(news);
    for (const answer of answers) this.settle(answer);
    if (fatal) this.die(this.errorOf(fatal));
  }

  private settle(answer: Answer): void {
    if (answer.id === OPENED) {
      if ('fault' in answer) this.greeting.reject(this.errorOf(answer.fault));
      else this.greeting.resolve(answer.value);
      return;
    }
    const pending = this.pending.get(answer.id);
    if (!pending) return;
    this.pending.delete(answer.id);
    this.refWhileBusy();
    clearTimeout(pending.timer);
    if ('fault' in answer) pending.reject(this.errorOf(answer.fault));
    else pending.resolve(answer.value);
  }

  /** Lets an idle thread with `unref` not keep the process alive. */
  private refWhileBusy(): void {
    if (!this.options.unref) return;
    if (this.pending.size === 0) this.worker.unref();
    else if (this.pending.size === 1) this.worker.ref();
  }

  private die(cause: Error): void {
    this.end(this.closing ? 'closed' : 'died', cause);
  }

  /** Only once: the first reason counts. */
  private end(trouble: 'died' | 'closed', cause: Error): void {
    if (this.ended) return;
    this.ended = { trouble, cause };
    void this.worker.terminate();
    const error = this.errorFor(trouble, cause);
    this.greeting.reject(error);
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
    if (trouble === 'died') this.tellDeath(cause);
  }

  private lateAfter(milliseconds: number): Error {
    return new Error(`The ${this.options.name} thread did not answer within ${milliseconds} ms`);
  }

  private errorFor(trouble: ThreadTrouble, cause: Error): Error {
    return this.options.errorFor?.(trouble, cause) ?? cause;
  }

  private errorOf(fault: Fault): Error {
    return (this.options.errorOf ?? errorOfFault)(fault);
  }
}

function closed(name: string): Error {
  return new Error(`The ${name} thread is closed`);
}
