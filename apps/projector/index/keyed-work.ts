import type { Position } from '#contracts';

interface Item {
  readonly position: Position;
  /** Time when the event was recorded, in milliseconds since the epoch. */
  readonly since: number;
  done: boolean;
}

/**
 * Runs work of different keys in parallel (bounded), and work of one key in order. Knows the
 * position before which nothing is unfinished: only that may be stored as a checkpoint. After a
 * failure it starts nothing more.
 */
export class KeyedWork {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly inOrder: Item[] = [];
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private finishedTo: Position | null = null;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly parallel: number,
    /** Called whenever a piece of work ended, well or badly. */
    private readonly onSettled: () => void = () => undefined,
  ) {}

  /** Adds work at a position; positions come in ascending order. */
  add(key: string, position: Position, since: number, work: () => Promise<void>): void {
    const item: Item = { position, since, done: false };
    this.inOrder.push(item);
    const tail = (this.tails.get(key) ?? Promise.resolve())
      .then(() => this.inSlot(work))
      .then(
        () => void (item.done = true),
        (error: unknown) => void (this.failure ??= { error }),
      )
      .finally(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
        this.settle();
        this.onSettled();
      });
    this.tails.set(key, tail);
  }

  /** Notes a position at which there is nothing to do. */
  pass(position: Position): void {
    this.inOrder.push({ position, since: 0, done: true });
    this.settle();
  }

  /** The highest position with nothing unfinished at or before it; null before the first. */
  get checkpoint(): Position | null {
    return this.finishedTo;
  }

  get failed(): { readonly error: unknown } | undefined {
    return this.failure;
  }

  get oldestSince(): number | undefined {
    return this.inOrder[0]?.since;
  }

  /** Positions that are not settled. */
  get unfinished(): number {
    return this.inOrder.length;
  }

  /** Resolves when nothing runs or waits. */
  async drained(): Promise<void> {
    while (this.tails.size > 0) await Promise.all(this.tails.values());
  }

  private async inSlot(work: () => Promise<void>): Promise<void> {
    while (this.running >= this.parallel)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.failure) {
      this.waiting.shift()?.();
      throw this.failure.error;
    }
    this.running += 1;
    try {
      await work();
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }

  private settle(): void {
    let first = this.inOrder[0];
    while (first?.done) {
      this.finishedTo = first.position;
      this.inOrder.shift();
      first = this.inOrder[0];
    }
  }
}
