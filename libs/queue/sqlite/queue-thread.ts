import { FootnoteError } from '#contracts';
import { SMALL_YOUNG_GENERATION, ThreadClient, type ThreadTrouble, TimeoutError } from '#platform';

import type { QueueCall, QueueRequest } from './queue.worker.js';
import type { QueueDatabase, QueueDatabaseOptions } from './queue-database.js';

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * The queue's database in its own thread. Every request has a deadline; if the thread dies, all of
 * them fail.
 */
export class QueueThread {
  private constructor(private readonly thread: ThreadClient<QueueRequest>) {}

  /**
   * Resolves when the file is open.
   * @throws Error with SQLite's `errcode` if it does not open.
   */
  static async start(options: QueueDatabaseOptions): Promise<QueueThread> {
    const thread = new ThreadClient<QueueRequest>({
      entry: new URL('./queue.worker.js', import.meta.url),
      name: 'queue',
      workerData: options,
      resourceLimits: SMALL_YOUNG_GENERATION,
      errorFor,
    });
    await thread.opened({ timeoutMs: REQUEST_TIMEOUT_MS });
    return new QueueThread(thread);
  }

  /** Resolves with the reason when the thread dies; no request is answered after that. */
  get died(): Promise<Error> {
    return this.thread.died;
  }

  async call<Name extends QueueCall>(
    name: Name,
    ...args: Parameters<QueueDatabase[Name]>
  ): Promise<ReturnType<QueueDatabase[Name]>> {
    return this.thread.ask({ call: name, args }, { timeoutMs: REQUEST_TIMEOUT_MS });
  }

  async close(): Promise<void> {
    await this.thread.close({ call: 'close', args: [] }, { timeoutMs: REQUEST_TIMEOUT_MS });
  }
}

function errorFor(trouble: ThreadTrouble, cause: Error): Error {
  if (trouble === 'late') return new TimeoutError('The queue did not answer in time');
  return new FootnoteError('engine_unavailable', 'The queue is unavailable', {
    cause,
    retryAfter: 5,
  });
}
