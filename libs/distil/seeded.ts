import { seeded } from '#platform';

/** Random choices that a seed determines. */
export class Seeded {
  /** Returns the next number, from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  /** Returns an integer below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns `count` different items in random order; all items if there are fewer. */
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
