import { FairSemaphore, ThreadClient } from '#platform';

import type { MatchAnswer, MatchRequest } from './match-protocol.js';

/** Time in which a thread must load the engine. */
const OPEN_TIMEOUT_MS = 30_000;
/** Time that a thread has after its budget before it is ended. */
const GRACE_MS = 100;
/** Memory for objects of a thread; a batch and its matches are far below it. */
const OLD_GENERATION_MIB = 256;

/** A batch that no thread answered in time: its thread was ended. */
export interface UnansweredBatch {
  readonly kind: 'late';
}

interface Thread {
  readonly client: ThreadClient<MatchRequest>;
  readonly opened: Promise<unknown>;
  isBusy: boolean;
}

/**
 * Threads that match patterns in documents. A pattern comes from a user, so it never runs on the
 * event loop or in the threads of ranked search. A thread that exceeds its budget is ended, and the
 * next batch starts another one. Tenants take turns by batch.
 */
export class MatchThreads {
  private readonly turns: FairSemaphore;
  private readonly threads: Thread[] = [];
  private closed = false;

  /** @param count of threads; each starts with the first batch that needs it. */
  constructor(count: number) {
    this.turns = new FairSemaphore({ places: count });
  }

  /** @throws the signal's reason if it aborts while the batch waits; Error of a defect. */
  run(
    tenantId: string,
    request: MatchRequest,
    signal?: AbortSignal,
  ): Promise<MatchAnswer | UnansweredBatch> {
    return this.turns.run(tenantId, () => this.match(request), signal);
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      this.threads.map(({ client }) => client.kill(new Error('code search is closed'))),
    );
  }

  private async match(request: MatchRequest): Promise<MatchAnswer | UnansweredBatch> {
    if (this.closed) throw new Error('Code search is closed');
    const thread = this.idle();
    thread.isBusy = true;
    try {
      await thread.opened;
      return await thread.client.ask<MatchAnswer>(request, {
        timeoutMs: request.budgetMs + GRACE_MS,
      });
    } catch (error) {
      // A dead thread takes its batch with it: the pattern used up its time or its memory.
      if (!thread.client.isOver || this.closed) throw error;
      return { kind: 'late' };
    } finally {
      thread.isBusy = false;
    }
  }

  /** Returns a thread without work; dead ones are replaced. */
  private idle(): Thread {
    for (const [at, { client }] of this.threads.entries())
      if (client.isOver) this.threads[at] = start();
    const free = this.threads.find(({ isBusy }) => !isBusy);
    if (free) return free;
    const thread = start();
    this.threads.push(thread);
    return thread;
  }
}

function start(): Thread {
  const client = new ThreadClient<MatchRequest>({
    entry: new URL('./match.worker.js', import.meta.url),
    name: 'match',
    resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MIB },
    unref: true,
    lateEnds: true,
  });
  const opened = client.opened({ timeoutMs: OPEN_TIMEOUT_MS });
  opened.catch(() => undefined);
  return { client, opened, isBusy: false };
}
