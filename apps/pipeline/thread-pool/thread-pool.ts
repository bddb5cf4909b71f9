import { FairSemaphore, TimeoutError, withTimeout } from '#platform';

import { PoolThread } from './pool-thread.js';
import type { StageTaskName, StageTasks } from './stage-tasks.js';

const STAGE_TASKS = new URL('./stage-tasks.worker.js', import.meta.url);

export interface ThreadPoolOptions {
  readonly grammarsDirectory: string;
  /**
   * Threads at work at once, and one more for a tenant that has none; they are started when work
   * comes.
   */
  readonly size: number;
  /** A thread that works longer on one task is ended. Default 10 minutes. */
  readonly taskTimeoutMs?: number;
  /**
   * A thread that is at one document longer is ended: a grammar's own scanner can loop for ever,
   * out of reach of the parse limit. Default 15 s.
   */
  readonly documentTimeoutMs?: number;
  /** The threads' entry file; default that of the stage tasks. */
  readonly thread?: URL;
  /** A thread without work for this long is ended; its memory goes back. Default 5 s. */
  readonly idleMs?: number;
}

/** The tenant whose task it is, and the signal that ends it. */
export interface TaskOwner {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/**
 * Worker threads for the CPU-heavy steps. Tasks beyond the threads wait for the turn of their
 * tenant; callers bound how many they send. One tenant may have every thread while it is alone.
 * When another tenant arrives, the pool starts one more thread. It shares the processors at once,
 * instead of waiting for the longest document of the first tenant.
 */
export class ThreadPool {
  private readonly idle: PoolThread[] = [];
  private readonly all = new Set<PoolThread>();
  private readonly places: FairSemaphore;
  private readonly closing = new AbortController();
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ThreadPoolOptions) {
    this.places = new FairSemaphore({ places: options.size, spare: 1 });
  }

  get size(): number {
    return this.options.size;
  }

  /** True if a task that is sent now takes a thread that nobody else waits for. */
  get hasIdleThread(): boolean {
    return this.places.isFree;
  }

  /**
   * Runs a task in a free thread. An abort rejects at once; the thread finishes its task and is
   * used again.
   * @throws TimeoutError, StuckDocumentError, the task's own error, the signal's reason.
   */
  async run<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
    { tenantId, signal }: TaskOwner,
  ): Promise<StageTasks[Name]['output']> {
    const ended = AbortSignal.any([signal, this.closing.signal]);
    ended.throwIfAborted();
    const work = this.places.run(tenantId, () => this.inThread(name, input), ended);
    work.catch(() => undefined);
    return Promise.race([work, rejectionOf(signal, work)]);
  }

  /**
   * Starts the threads that are not there yet, for work that comes within moments; unused they end
   * like any other.
   * @param tasks most tasks that will run at once. Default: as many as there are threads.
   */
  warm(tasks = this.options.size): void {
    if (this.closing.signal.aborted) return;
    while (this.all.size < Math.min(tasks, this.options.size)) this.idle.push(this.start());
    this.endIdleThreadsLater();
  }

  async close(): Promise<void> {
    clearTimeout(this.idleTimer);
    this.closing.abort(new Error('The thread pool is closed'));
    await Promise.all([...this.all].map((thread) => thread.terminate()));
    this.all.clear();
  }

  private async inThread<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
  ): Promise<StageTasks[Name]['output']> {
    const thread = this.take();
    const limit = this.options.taskTimeoutMs ?? 600_000;
    try {
      return await withTimeout(
        thread.run(name, input),
        limit,
        `The ${name} task took longer than ${limit} ms`,
      );
    } catch (error) {
      if (error instanceof TimeoutError) await thread.terminate();
      throw error;
    } finally {
      this.putBack(thread);
    }
  }

  private take(): PoolThread {
    clearTimeout(this.idleTimer);
    for (let free = this.idle.pop(); free; free = this.idle.pop()) {
      if (!free.dead) return free;
      this.all.delete(free);
    }
    return this.start();
  }

  private start(): PoolThread {
    const {
      grammarsDirectory,
      thread: entry = STAGE_TASKS,
      documentTimeoutMs = 15_000,
    } = this.options;
    const thread = new PoolThread({ grammarsDirectory, thread: entry, documentTimeoutMs });
    this.all.add(thread);
    return thread;
  }

  private putBack(thread: PoolThread): void {
    if (thread.dead) this.all.delete(thread);
    else this.idle.push(thread);
    this.endIdleThreadsLater();
  }

  private endIdleThreadsLater(): void {
    if (this.idle.length < this.all.size || this.closing.signal.aborted) return;
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
