import { Worker } from 'node:worker_threads';

import { FootnoteError } from '#contracts';

import type { PgliteFailure, PgliteGreeting, PgliteReply, PgliteRequest, PgliteResult } from './pglite-protocol.js';

export interface PgliteSessionOptions {
  /** The folder that PGlite keeps its files in; made when missing. */
  readonly directory: string;
  /** Milliseconds that opening may take. Default 60,000: a first start without a prepared image runs initdb. */
  readonly openTimeoutMs?: number;
  /** Milliseconds that one statement may take. Default 120,000. */
  readonly statementTimeoutMs?: number;
}

interface Waiter {
  readonly resolve: (result: PgliteResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The one session of a PGlite that lives in a worker thread. It executes what it is given in order and knows nothing of
 * transactions: hand it out exclusively (`ExclusivePool`).
 */
export class PgliteSession {
  private readonly waiters = new Map<number, Waiter>();
  private readonly ended: Promise<void>;
  private nextId = 1;
  private broken: Error | undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly statementTimeoutMs: number,
  ) {
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (reply: PgliteReply) => this.settle(reply));
    worker.on('error', (error: Error) => this.break(error));
    worker.on('exit', (code) => this.break(new Error(`The PGlite thread ended with code ${code}`)));
  }

  /** @throws Error when the folder cannot be opened in time; the thread is gone then. */
  static async open(options: PgliteSessionOptions): Promise<PgliteSession> {
    const worker = new Worker(new URL('./pglite.worker.js', import.meta.url), {
      workerData: { directory: options.directory },
      name: 'pglite',
    });
    try {
      await greeting(worker, options.openTimeoutMs ?? 60_000);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return new PgliteSession(worker, options.statementTimeoutMs ?? 120_000);
  }

  /** @throws DatabaseError with Postgres' `code`; FootnoteError `engine_unavailable` when the thread is gone or late. */
  query(sql: string, parameters: readonly unknown[] = []): Promise<PgliteResult> {
    return this.request({ id: this.nextId++, kind: 'query', sql, parameters }, this.statementTimeoutMs);
  }

  /** Ends the thread after a shutdown of PGlite, or without one if that takes longer than ten seconds. */
  async close(): Promise<void> {
    if (this.broken) return;
    await this.request({ id: this.nextId++, kind: 'close' }, 10_000).catch(() => this.worker.terminate());
    await this.ended;
  }

  private request(request: PgliteRequest, timeoutMs: number): Promise<PgliteResult> {
    if (this.broken) return Promise.reject(unavailable(this.broken));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(request.id);
        reject(unavailable(new Error(`PGlite did not answer within ${timeoutMs} ms`)));
      }, timeoutMs);
      this.waiters.set(request.id, { resolve, reject, timer });
      this.worker.postMessage(request);
    });
  }

  private settle(reply: PgliteReply): void {
    const waiter = this.waiters.get(reply.id);
    if (!waiter) return;
    this.waiters.delete(reply.id);
    clearTimeout(waiter.timer);
    if ('result' in reply) waiter.resolve(reply.result);
    else waiter.reject(new DatabaseError(reply.failure));
  }

  private break(error: Error): void {
    this.broken ??= error;
    for (const waiter of this.waiters.values()) {
      clearTimeout(waiter.timer);
      waiter.reject(unavailable(error));
    }
    this.waiters.clear();
  }
}

/** What Postgres refused; `code` is its SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;

  constructor(failure: PgliteFailure) {
    super(failure.message);
    this.name = 'DatabaseError';
    this.code = failure.code;
    this.detail = failure.detail;
    this.constraint = failure.constraint;
  }
}

function greeting(worker: Worker, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PGlite did not open within ${timeoutMs} ms`)), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    worker.once('error', fail);
    worker.once('exit', (code) => fail(new Error(`The PGlite thread ended with code ${code}`)));
    worker.once('message', (message: PgliteGreeting) => {
      clearTimeout(timer);
      if (message.opened) resolve();
      else reject(new DatabaseError(message.failure));
    });
  });
}

function unavailable(cause: Error): FootnoteError {
  return new FootnoteError('engine_unavailable', 'The read models cannot be reached', { retryAfter: 1, cause });
}
