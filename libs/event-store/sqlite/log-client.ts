import { Worker } from 'node:worker_threads';

import { FootnoteError } from '#contracts';

import { LogDamagedError } from '../errors/log-damaged.error.js';
import { LogFailedError } from '../errors/log-failed.error.js';
import type { CommittedEvents, LogAnswer, LogFault, LogRequest } from './log-protocol.js';
import type { LogWorkerData } from './log.worker.js';

/** More requests than this in flight are refused: the disk does not keep up, and memory has a bound. */
const MAX_IN_FLIGHT = 10_000;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The time-out of a request to the log's thread ran out. */
export class LogTimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`the event log did not answer within ${milliseconds} ms`);
    this.name = 'LogTimeoutError';
  }
}

export interface LogClientEvents {
  /** The log grew by these events; called before the appends that did it resolve. */
  onHead(head: number, events: readonly CommittedEvents[]): void;
  /** The log cannot be used any more; called once. */
  onFatal(error: Error): void;
}

export interface OpenedLog {
  readonly client: LogClient;
  readonly head: number;
  /** Events that the last crash left unacknowledged and that were taken over. */
  readonly recovered: number;
}

/** Asks the log's thread, with a time-out on every request, and turns its end into one clear error. */
export class LogClient {
  private readonly pending = new Map<number, Pending>();
  private readonly opening = Promise.withResolvers<OpenedLog>();
  private opened = false;
  private lastRequest = 0;
  private ended: Error | null = null;

  private constructor(
    private readonly worker: Worker,
    private readonly events: LogClientEvents,
  ) {
    worker.on('message', (answer: LogAnswer) => this.receive(answer));
    worker.on('error', (error) =>
      this.fail(new LogFailedError('The thread of the event log failed', { cause: error })),
    );
    worker.on('exit', () => this.fail(new LogFailedError('The thread of the event log ended')));
  }

  /**
   * Starts the thread and opens the log there. No time-out: verifying a large log takes its time, and a thread that dies
   * is noticed.
   * @throws LogDamagedError, LogFailedError, FootnoteError `storage_full`.
   */
  static open(data: LogWorkerData, events: LogClientEvents): Promise<OpenedLog> {
    const worker = new Worker(new URL('./log.worker.js', import.meta.url), { workerData: data, name: 'event-log' });
    return new LogClient(worker, events).opening.promise;
  }

  /** @throws LogTimeoutError, LogFailedError, FootnoteError `engine_unavailable` or `shutting_down`. */
  async ask<Value>(request: LogRequest, timeoutMs: number): Promise<Value> {
    if (this.ended) throw this.ended;
    if (this.pending.size >= MAX_IN_FLIGHT) {
      throw new FootnoteError('engine_unavailable', 'The event log has too much to do.', { retryAfter: 1 });
    }
    const id = ++this.lastRequest;
    return new Promise<Value>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new LogTimeoutError(timeoutMs));
      }, timeoutMs);
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.worker.postMessage([id, request]);
    });
  }

  /** Writes what waits, moves the WAL into the file and ends the thread; after a failure, only ends the thread. */
  async close(timeoutMs: number): Promise<void> {
    if (this.ended) {
      await this.worker.terminate();
      return;
    }
    const closing = this.ask<void>({ kind: 'close' }, timeoutMs);
    this.ended = new FootnoteError('shutting_down', 'The event log is closed.');
    try {
      await closing;
    } finally {
      await this.worker.terminate();
    }
  }

  private receive(answer: LogAnswer): void {
    switch (answer.kind) {
      case 'committed':
        this.events.onHead(answer.head, answer.events);
        for (const [request, outcome] of answer.outcomes) this.settle(request)?.resolve(outcome);
        return;
      case 'answer':
        this.settle(answer.request)?.resolve(answer.value);
        return;
      case 'failed':
        this.settle(answer.request)?.reject(new Error(answer.message));
        return;
      case 'fatal':
        this.fail(errorOf(answer.fault));
        return;
      case 'opened':
        this.opened = true;
        this.opening.resolve({ client: this, head: answer.head, recovered: answer.recovered });
        return;
      case 'refused':
        this.fail(errorOf(answer.fault));
        return;
    }
  }

  private settle(request: number): Pending | undefined {
    const pending = this.pending.get(request);
    this.pending.delete(request);
    clearTimeout(pending?.timer);
    return pending;
  }

  private fail(error: Error): void {
    const first = this.ended === null;
    this.ended ??= error;
    for (const request of [...this.pending.keys()]) this.settle(request)?.reject(error);
    if (!first) return;
    void this.worker.terminate();
    if (this.opened) this.events.onFatal(error);
    else this.opening.reject(error);
  }
}

function errorOf(fault: LogFault): Error {
  switch (fault.code) {
    case 'log_damaged':
      return new LogDamagedError(fault.message);
    case 'storage_full':
      return new FootnoteError('storage_full', fault.message);
    case 'log_in_use':
    case 'log_failed':
      return new LogFailedError(fault.message);
  }
}
