import { FairSemaphore, ThreadClient } from '#platform';

/** Time in which a thread must load its engine. */
const OPEN_TIMEOUT_MS = 30_000;
/** Time that a thread has after its budget before it is ended. */
const GRACE_MS = 100;
/** Time without work after which a thread is ended, because it keeps tens of megabytes. */
const IDLE_MS = 60_000;
/** Memory for objects of a thread; a batch and its answer are far below it. */
const OLD_GENERATION_MIB = 256;
/**
 * Memory for short-lived objects of a thread. Texts are outside of it, so a larger one takes memory
 * and saves no processor time.
 */
const YOUNG_GENERATION_MIB = 6;

/** A batch that no thread answered in time: its thread was ended. */
export interface UnansweredBatch {
  readonly kind: 'late';
}

interface BudgetedThreadsOptions {
  /** Maximum threads; each starts with the first batch that needs it. */
  readonly count: number;
  /** The threads' entry file, which runs a `ThreadServer`. */
  readonly entry: URL;
  /** Name of the threads in debuggers and listings. */
  readonly name: string;
  /** Milliseconds without work after which a thread is ended. Default 60,000. */
  readonly idleMs?: number;
}

interface Thread<Request> {
  readonly client: ThreadClient<Request>;
  readonly opened: Promise<unknown>;
  isBusy: boolean;
  /** Ends the thread; while it has no work. */
  idleTimer?: NodeJS.Timeout;
}

/**
 * Threads for work on content of users, which never runs on the event loop or in the threads of
 * ranked search. A thread that exceeds its budget is ended, and the next batch starts another one.
 * So is one without work for a while. Tenants take turns by batch.
 */
export class BudgetedThreads<Request extends { readonly budgetMs: number }, Answer> {
  private readonly turns: FairSemaphore;
  private threads: Thread<Request>[] = [];
  private closed = false;

  constructor(private readonly options: BudgetedThreadsOptions) {
    this.turns = new FairSemaphore({ places: options.count });
  }

  /** Number of started threads. */
  get size(): number {
    return this.threads.length;
  }

  /** @throws the signal's reason if it aborts while the batch waits; Error of a defect. */
  run(tenantId: string, request: Request, signal?: AbortSignal): Promise<Answer | UnansweredBatch> {
    return this.turns.run(tenantId, () => this.answer(request), signal);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { idleTimer } of this.threads) clearTimeout(idleTimer);
    await Promise.all(
      this.threads.map(({ client }) => client.kill(new Error('code search is closed'))),
    );
  }

  private async answer(request: Request): Promise<Answer | UnansweredBatch> {
    if (this.closed) throw new Error('Code search is closed');
    const thread = this.idle();
    thread.isBusy = true;
    clearTimeout(thread.idleTimer);
    try {
      await thread.opened;
      return await thread.client.ask<Answer>(request, { timeoutMs: request.budgetMs + GRACE_MS });
    } catch (error) {
      // A dead thread takes its batch with it: the batch used up its time or its memory.
      if (!thread.client.isOver || this.closed) throw error;
      return { kind: 'late' };
    } finally {
      thread.isBusy = false;
      const { idleMs = IDLE_MS } = this.options;
      thread.idleTimer = setTimeout(() => this.end(thread), idleMs).unref();
    }
  }

  private end(thread: Thread<Request>): void {
    if (thread.isBusy || this.closed) return;
    this.threads = this.threads.filter((other) => other !== thread);
    void thread.client.kill(new Error('the thread has no work'));
  }

  /** Returns a thread without work; dead ones are replaced. */
  private idle(): Thread<Request> {
    for (const [at, { client }] of this.threads.entries())
      if (client.isOver) this.threads[at] = this.start();
    const free = this.threads.find(({ isBusy }) => !isBusy);
    if (free) return free;
    const thread = this.start();
    this.threads.push(thread);
    return thread;
  }

  private start(): Thread<Request> {
    const { entry, name } = this.options;
    const client = new ThreadClient<Request>({
      entry,
      name,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB,
        maxOldGenerationSizeMb: OLD_GENERATION_MIB,
      },
      unref: true,
      lateEnds: true,
    });
    const opened = client.opened({ timeoutMs: OPEN_TIMEOUT_MS });
    opened.catch(() => undefined);
    return { client, opened, isBusy: false };
  }
}
