import { Worker } from 'node:worker_threads';

import { FootnoteError } from '#contracts';
import { withTimeout } from '#platform';

import type { QueueDatabase, QueueDatabaseOptions } from './queue-database.js';
import type { QueueCall, QueueReply, QueueRequest, QueueThreadError } from './queue.worker.js';

/** The thread's first reply: see the worker. */
const OPENED = 0;
const REQUEST_TIMEOUT_MS = 30_000;
/** Requests in flight; more than this means that the thread hangs. */
const MAX_PENDING = 10_000;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The queue's database in its own thread. Every request has a deadline; when the thread dies, all of them fail. */
export class QueueThread {
  private readonly pending = new Map<number, Pending>();
  private dead: Error | null = null;
  private lastId = 0;

  private constructor(private readonly worker: Worker) {
    worker.on('message', (reply: QueueReply) => this.settle(reply));
    worker.on('error', (error) => this.die(error as Error));
    worker.on('exit', () => this.die(new Error('The queue thread has ended')));
  }

  /** Resolves when the file is open. @throws Error when it does not open. */
  static async start(options: QueueDatabaseOptions): Promise<QueueThread> {
    const worker = new Worker(new URL('./queue.worker.js', import.meta.url), { workerData: options });
    const thread = new QueueThread(worker);
    try {
      await thread.expect(OPENED);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return thread;
  }

  async call<Name extends QueueCall>(
    name: Name,
    ...args: Parameters<QueueDatabase[Name]>
  ): Promise<ReturnType<QueueDatabase[Name]>> {
    if (this.dead) throw unavailable(this.dead);
    if (this.pending.size >= MAX_PENDING) throw unavailable(new Error('The queue has too many requests in flight'));
    const id = (this.lastId += 1);
    const answer = this.expect(id);
    this.worker.postMessage({ id, call: name, args } satisfies QueueRequest);
    return (await answer) as ReturnType<QueueDatabase[Name]>;
  }

  async close(): Promise<void> {
    if (!this.dead) await this.call('close');
    await this.worker.terminate();
  }

  private expect(id: number): Promise<unknown> {
    const answer = new Promise<unknown>((resolve, reject) => this.pending.set(id, { resolve, reject }));
    return withTimeout(answer, REQUEST_TIMEOUT_MS, 'The queue did not answer').finally(() => this.pending.delete(id));
  }

  private settle(reply: QueueReply): void {
    const waiter = this.pending.get(reply.id);
    if (!waiter) return;
    if ('error' in reply) waiter.reject(new QueueDatabaseError(reply.error));
    else waiter.resolve(reply.value);
  }

  private die(error: Error): void {
    this.dead ??= error;
    for (const waiter of this.pending.values()) waiter.reject(unavailable(this.dead));
  }
}

/** What SQLite said, with its result code. */
export class QueueDatabaseError extends Error {
  readonly errcode: number;
  constructor({ message, errcode }: QueueThreadError) {
    super(message);
    this.name = 'QueueDatabaseError';
    this.errcode = errcode;
  }
}

function unavailable(cause: Error): FootnoteError {
  return new FootnoteError('engine_unavailable', 'The queue is not available', { cause, retryAfter: 5 });
}
