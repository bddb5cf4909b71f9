import type { SubscriptionFilter } from '../event-store.port.js';
import type { CommittedEvents } from './log-protocol.js';

/** Events whose kind is remembered; a subscription that is further behind reads the log. */
const REMEMBERED = 4_096;

/**
 * What kinds of events were committed last: tells a subscription at the end of the log that nothing came for it. Without
 * this, each commit would make each subscription ask the log's thread, which costs more than the commit.
 */
export class RecentEvents {
  private readonly positions = new Float64Array(REMEMBERED);
  private readonly types = new Array<string>(REMEMBERED);
  private readonly categories = new Array<string>(REMEMBERED);

  note({ position, category, types }: CommittedEvents): void {
    types.forEach((type, index) => {
      const at = position - types.length + 1 + index;
      const slot = at % REMEMBERED;
      this.positions[slot] = at;
      this.types[slot] = type;
      this.categories[slot] = category;
    });
  }

  /** True when it is certain that no event after `after`, up to and including `until`, passes the filter. */
  hasNothingFor({ types, categories }: SubscriptionFilter, after: number, until: number): boolean {
    if (until - after > REMEMBERED) return false;
    for (let at = after + 1; at <= until; at += 1) {
      const slot = at % REMEMBERED;
      if (this.positions[slot] !== at) return false;
      const wanted =
        (types?.includes(this.types[slot] ?? '') ?? true) &&
        (categories?.includes(this.categories[slot] ?? '') ?? true);
      if (wanted) return false;
    }
    return true;
  }
}
