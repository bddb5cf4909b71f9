import { seeded } from '#platform';

/** Choices that a seed decides. */
export class Seeded {
  /** The next number, from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  /** A whole number under `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /**
   * So many of the items, each at most once, in an order of their own; all of them when there are
   * fewer.
   */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    if (count * 4 > items.length) return this.shuffled(items).slice(0, count);
    const places = new Set<number>();
    while (places.size < count) places.add(this.below(items.length));
    return Array.from(places, (at) => items[at] as Item);
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let at = order.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [order[at], order[other]] = [order[other] as Item, order[at] as Item];
    }
    return order;
  }
}
