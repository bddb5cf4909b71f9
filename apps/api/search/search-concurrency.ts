import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import { type Config, Semaphore } from '#platform';

import { CONFIG } from '../engines/engines.js';
import { MOST_WAITING_SEARCHES } from '../quota/bounds.js';

/** The searches of one tenant. */
interface Queue {
  readonly places: Semaphore;
  /** At work or waiting. */
  count: number;
}

/** A client that searches one time after another leaves shorter gaps than this. */
const QUIET_AFTER_MS = 50;

/**
 * Bounds the number of searches of a tenant at once in this process, so that others have room. The
 * rest waits, first come, first served. A place is occupied while the search runs, not while it is
 * charged.
 */
@Injectable()
export class SearchConcurrency {
  private readonly queues = new Map<string, Queue>();
  private lastEnd = -Infinity;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'fairness'>) {}

  /** @throws FootnoteError `rate_limited` when too many wait; what the search throws. */
  async run<T>(tenantId: string, search: () => Promise<T>): Promise<T> {
    const { searchesPerTenant } = this.config.fairness;
    const queue = this.queues.get(tenantId) ?? {
      places: new Semaphore(searchesPerTenant),
      count: 0,
    };
    if (queue.count >= searchesPerTenant + MOST_WAITING_SEARCHES) {
      throw new FootnoteError('rate_limited', 'Too many searches wait', { retryAfter: 1 });
    }
    this.queues.set(tenantId, queue);
    queue.count += 1;
    try {
      return await queue.places.run(search);
    } finally {
      queue.count -= 1;
      this.lastEnd = performance.now();
      if (queue.count === 0) this.queues.delete(tenantId);
    }
  }

  /** Returns whether a search of any tenant is at work or waits, or ended in the last 50 ms. */
  isSearching(): boolean {
    return this.queues.size > 0 || performance.now() - this.lastEnd < QUIET_AFTER_MS;
  }
}
