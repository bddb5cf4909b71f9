/** Random numbers that a seed decides (mulberry32): the same seed gives the same ones, from 0 (inclusive) to 1 (exclusive). */
export class Seeded {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number under `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** So many of the items, each at most once, in an order of their own; all of them when there are fewer. */
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
