import { BudgetedThreads, type UnansweredBatch } from './budgeted-threads.js';
import type { MatchAnswer, MatchRequest } from './match-protocol.js';
import { type PackedRequest, packRequest } from './packed-request.js';

/** Threads that match patterns in documents. A pattern comes from a user. */
export class MatchThreads {
  private readonly threads: BudgetedThreads<PackedRequest, MatchAnswer>;

  /**
   * @param count of threads; each starts with the first batch that needs it.
   * @param idleMs see `BudgetedThreads`.
   */
  constructor(count: number, idleMs?: number) {
    const entry = new URL('./match.worker.js', import.meta.url);
    this.threads = new BudgetedThreads({
      count,
      entry,
      name: 'match',
      ...(idleMs !== undefined && { idleMs }),
    });
  }

  /** Number of started threads. */
  get size(): number {
    return this.threads.size;
  }

  /** @throws as `BudgetedThreads.run`. */
  run(
    tenantId: string,
    request: MatchRequest,
    signal?: AbortSignal,
  ): Promise<MatchAnswer | UnansweredBatch> {
    return this.threads.run(tenantId, packRequest(request), signal);
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
