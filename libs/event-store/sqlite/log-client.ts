import { FootnoteError } from '#contracts';
import { type Fault, ThreadClient, type ThreadTrouble } from '#platform';

import {
  isLogDamaged,
  isLogFailed,
  LogDamagedError,
  LogFailedError,
} from '../errors/log-errors.js';
import type { LogWorkerData } from './log.worker.js';
import type { LogGrowth, LogOpened, LogRequest } from './log-protocol.js';
import type { LogFaultCode } from './sqlite-fault.js';

/** The time-out of a request to the log's thread ran out. */
export class LogTimeoutError extends Error {
  constructor(cause: Error) {
    super('The event log did not answer in time', { cause });
    this.name = 'LogTimeoutError';
  }
}

export interface LogClientEvents {
  /** The log grew; called before the appends that did it resolve. */
  onGrowth(growth: LogGrowth): void;
  /** The log cannot be used any more; called once, when what was asked of it is rejected. */
  onFatal(error: Error): void;
}

/**
 * Asks the log's thread, with a time-out on every request, and turns its end into one clear error.
 */
export class LogClient {
  private constructor(private readonly thread: ThreadClient<LogRequest, LogGrowth>) {}

  /**
   * Starts the thread and opens the log there. No time-out: verifying a large log takes its time,
   * and a thread that dies is noticed.
   * @throws LogDamagedError, LogFailedError, FootnoteError `storage_full`.
   */
  static async open(
    data: LogWorkerData,
    events: LogClientEvents,
  ): Promise<LogOpened & { readonly client: LogClient }> {
    const thread = new ThreadClient<LogRequest, LogGrowth>({
      entry: new URL('./log.worker.js', import.meta.url),
      name: 'event-log',
      workerData: data,
      errorFor,
      errorOf,
      onNews: (growth) => events.onGrowth(growth),
    });
    const opened = await thread.opened<LogOpened>();
    void thread.died.then((cause) => events.onFatal(failureOf(cause)));
    return { client: new LogClient(thread), ...opened };
  }

  /**
   * @throws LogTimeoutError, LogFailedError, FootnoteError `engine_unavailable` or `shutting_down`.
   */
  ask<Value>(request: LogRequest, timeoutMs: number): Promise<Value> {
    return this.thread.ask<Value>(request, { timeoutMs });
  }

  /**
   * Writes what waits, moves the WAL into the file and ends the thread; after a failure, only ends
   * the thread.
   */
  close(timeoutMs: number): Promise<void> {
    return this.thread.close({ kind: 'close' }, { timeoutMs });
  }
}

/** More requests in flight than the thread takes mean that the disk does not keep up. */
function errorFor(trouble: ThreadTrouble, cause: Error): Error {
  switch (trouble) {
    case 'busy':
      return new FootnoteError('engine_unavailable', 'The event log has too much to do.', {
        retryAfter: 1,
      });
    case 'late':
      return new LogTimeoutError(cause);
    case 'closed':
      return new FootnoteError('shutting_down', 'The event log is closed.');
    case 'died':
      return failureOf(cause);
  }
}

/** Why the thread died: what it said itself, or that it did. */
function failureOf(cause: Error): Error {
  if (isLogDamaged(cause) || isLogFailed(cause) || cause instanceof FootnoteError) return cause;
  return new LogFailedError('The thread of the event log failed', { cause });
}

function errorOf({ message, fields }: Fault): Error {
  switch (fields['code'] as LogFaultCode | undefined) {
    case 'log_damaged':
      return new LogDamagedError(message);
    case 'storage_full':
      return new FootnoteError('storage_full', message);
    case 'log_in_use':
    case 'log_failed':
      return new LogFailedError(message);
    default:
      return new Error(message);
  }
}
