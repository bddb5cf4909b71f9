import { FootnoteError } from '#contracts';
import { type Fault, SMALL_YOUNG_GENERATION, ThreadClient, type ThreadTrouble } from '#platform';

import {
  isLogDamaged,
  isLogFailed,
  LogDamagedError,
  LogFailedError,
} from '../errors/log-errors.js';
import type { LogWorkerData } from './log.worker.js';
import type { LogGrowth, LogOpened, LogRequest } from './log-protocol.js';
import type { LogFaultCode } from './sqlite-fault.js';

/** A request to the log's thread timed out. */
export class LogTimeoutError extends Error {
  constructor(cause: Error) {
    super('The event log did not answer in time', { cause });
    this.name = 'LogTimeoutError';
  }
}

export interface LogClientEvents {
  /** Called when the log grew, before the appends that caused it resolve. */
  onGrowth(growth: LogGrowth): void;
  /** Called once when the log is unusable, when pending requests are rejected. */
  onFatal(error: Error): void;
}

/**
 * Sends requests to the log's thread, each with a timeout, and reports the end of the thread as one
 * error.
 */
export class LogClient {
  private constructor(private readonly thread: ThreadClient<LogRequest, LogGrowth>) {}

  /**
   * Starts the thread and opens the log there. No timeout: verifying a large log takes time, and
   * the death of a thread is detected.
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
      resourceLimits: SMALL_YOUNG_GENERATION,
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
   * Writes pending appends, moves the WAL into the file and ends the thread; after a failure, only
   * ends the thread.
   */
  close(timeoutMs: number): Promise<void> {
    return this.thread.close({ kind: 'close' }, { timeoutMs });
  }
}

/** Too many requests in flight mean that the disk is too slow. */
function errorFor(trouble: ThreadTrouble, cause: Error): Error {
  switch (trouble) {
    case 'busy':
      return new FootnoteError(
        'engine_unavailable',
        'The event log is overloaded; repeat the request',
        {
          retryAfter: 1,
        },
      );
    case 'late':
      return new LogTimeoutError(cause);
    case 'closed':
      return new FootnoteError('shutting_down', 'The event log is closed');
    case 'died':
      return failureOf(cause);
  }
}

/** Returns the reason of the thread's death: its own message, or that it died. */
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
