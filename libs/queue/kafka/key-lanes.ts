/** Runs work of one key in order, one at a time, and that of different keys side by side. */
export class KeyLanes {
  private readonly ends = new Map<string, Promise<void>>();

  /** `work` must not reject. */
  add(key: string, work: () => Promise<void>): void {
    const end = (this.ends.get(key) ?? Promise.resolve()).then(work).finally(() => {
      if (this.ends.get(key) === end) this.ends.delete(key);
    });
    this.ends.set(key, end);
  }

  /** Resolves when everything that was added has ended. */
  async idle(): Promise<void> {
    while (this.ends.size > 0) await Promise.all(this.ends.values());
  }
}

/** Hands out a number of places, first come, first served. */
export class Places {
  private readonly queue: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs `work` when there is a place for it. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
