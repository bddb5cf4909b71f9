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

/**
 * Bounds the number of searches of a tenant at once in this process, so that others have room. The
 * rest waits, first come, first served. A place is occupied while the search runs, not while it is
 * charged.
 */
@Injectable()
export class SearchConcurrency {
  private readonly queues = new Map<string, Queue>();

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
      if (queue.count === 0) this.queues.delete(tenantId);
    }
  }
}
