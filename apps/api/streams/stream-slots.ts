import { Inject, Injectable } from '@nestjs/common';

import { FootnoteError } from '#contracts';
import type { Config } from '#platform';

import { CONFIG } from '../engines/engines.js';

/** Counts open streams, so that no tenant takes all connections. */
@Injectable()
export class StreamSlots {
  private readonly open = new Map<string, number>();
  private total = 0;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'fairness'>) {}

  /** @returns a function that gives the slot back. @throws FootnoteError `rate_limited` when there is none left. */
  take(tenantId: string): () => void {
    const { streamsPerTenant, streamsInAll } = this.config.fairness;
    const own = this.open.get(tenantId) ?? 0;
    if (own >= streamsPerTenant || this.total >= streamsInAll) {
      throw new FootnoteError('rate_limited', 'Too many streams are open', { retryAfter: 15 });
    }
    this.open.set(tenantId, own + 1);
    this.total += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.total -= 1;
      const left = (this.open.get(tenantId) ?? 1) - 1;
      if (left === 0) this.open.delete(tenantId);
      else this.open.set(tenantId, left);
    };
  }
}
