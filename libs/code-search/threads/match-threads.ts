import { BudgetedThreads } from './budgeted-threads.js';
import type { MatchAnswer, MatchRequest } from './match-protocol.js';

/** Threads that match patterns in documents. A pattern comes from a user. */
export class MatchThreads extends BudgetedThreads<MatchRequest, MatchAnswer> {
  /**
   * @param count of threads; each starts with the first batch that needs it.
   * @param idleMs see `BudgetedThreads`.
   */
  constructor(count: number, idleMs?: number) {
    const entry = new URL('./match.worker.js', import.meta.url);
    super({ count, entry, name: 'match', ...(idleMs !== undefined && { idleMs }) });
  }
}
