import { TimeoutError, withTimeout } from '#platform';

import { PoolThread } from './pool-thread.js';
import type { StageTaskName, StageTasks } from './stage-tasks.js';

const STAGE_TASKS = new URL('./stage-tasks.worker.js', import.meta.url);

export interface ThreadPoolOptions {
  readonly grammarsDirectory: string;
  /** Threads at most; they are started when work comes. */
  readonly size: number;
  /** A thread that works longer on one task is ended. Default 10 minutes. */
  readonly taskTimeoutMs?: number;
  /**
   * A thread that is at one document longer is ended: a grammar's own scanner can loop for ever, out of reach of the
   * parse limit. Default 15 s.
   */
  readonly documentTimeoutMs?: number;
  /** The threads' entry file; default that of the stage tasks. */
  readonly thread?: URL;
  /** A thread without work for this long is ended; its memory goes back. Default 5 s. */
  readonly idleMs?: number;
}

/** Worker threads for the CPU-heavy steps. Tasks beyond the threads wait in order; callers bound how many they send. */
export class ThreadPool {
  private readonly idle: PoolThread[] = [];
  private readonly all = new Set<PoolThread>();
  private readonly waiting: PromiseWithResolvers<PoolThread>[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  get size(): number {
    return this.options.size;
  }

  /**
   * Runs a task in a free thread. An abort rejects at once; the thread finishes its task and is used again.
   * @throws TimeoutError, StuckDocumentError, the task's own error, the signal's reason.
   */
  async run<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
    signal: AbortSignal,
  ): Promise<StageTasks[Name]['output']> {
    signal.throwIfAborted();
    const work = this.whenFree(name, input, signal);
    work.catch(() => undefined);
    return Promise.race([work, rejectionOf(signal, work)]);
  }

  /** Starts the threads that are not there yet, for work that comes within moments; unused they end like any other. */
  warm(): void {
    if (this.closed) return;
    while (this.all.size < this.options.size) this.idle.push(this.start());
    if (this.idle.length === this.all.size) this.endIdleThreadsLater();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idleTimer);
    for (const waiter of this.waiting.splice(0)) waiter.reject(new Error('The thread pool is closed'));
    await Promise.all([...this.all].map((thread) => thread.terminate()));
    this.all.clear();
  }

  private async whenFree<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
    signal: AbortSignal,
  ): Promise<StageTasks[Name]['output']> {
    const thread = await this.acquire();
    try {
      signal.throwIfAborted();
      return await this.carryOut(thread, name, input);
    } finally {
      this.release(thread);
    }
  }

  private async carryOut<Name extends StageTaskName>(
    thread: PoolThread,
    name: Name,
    input: StageTasks[Name]['input'],
  ): Promise<StageTasks[Name]['output']> {
    try {
      const limit = this.options.taskTimeoutMs ?? 600_000;
      return await withTimeout(thread.run(name, input), limit, `The ${name} task took longer than ${limit} ms`);
    } catch (error) {
      if (error instanceof TimeoutError) await thread.terminate();
      throw error;
    }
  }

  private acquire(): Promise<PoolThread> {
    if (this.closed) return Promise.reject(new Error('The thread pool is closed'));
    clearTimeout(this.idleTimer);
    for (let free = this.idle.pop(); free; free = this.idle.pop()) {
      if (!free.dead) return Promise.resolve(free);
      this.all.delete(free);
    }
    if (this.all.size < this.options.size) return Promise.resolve(this.start());
    const waiter = Promise.withResolvers<PoolThread>();
    this.waiting.push(waiter);
    return waiter.promise;
  }

  private start(): PoolThread {
    const { grammarsDirectory, thread: entry = STAGE_TASKS, documentTimeoutMs = 15_000 } = this.options;
    const thread = new PoolThread({ grammarsDirectory, thread: entry, documentTimeoutMs });
    this.all.add(thread);
    return thread;
  }

  private release(thread: PoolThread): void {
    if (thread.dead) this.all.delete(thread);
    const next = this.waiting.shift();
    if (next) return next.resolve(thread.dead ? this.start() : thread);
    if (!thread.dead) this.idle.push(thread);
    if (this.idle.length === this.all.size) this.endIdleThreadsLater();
  }

  private endIdleThreadsLater(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      for (const thread of this.idle.splice(0)) {
        this.all.delete(thread);
        void thread.terminate();
      }
    }, this.options.idleMs ?? 5_000);
    this.idleTimer.unref();
  }
}

/** Rejects when the signal aborts before the work has ended; never resolves. */
function rejectionOf(signal: AbortSignal, work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const done = () => signal.removeEventListener('abort', abort);
    work.then(done, done);
  });
}
