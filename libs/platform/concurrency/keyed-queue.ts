/**
 * Runs work of one key in the order it came, one after the other, and work of different keys side
 * by side.
 */
export class KeyedQueue {
  /** The newest work of each key that is not done. */
  private readonly newest = new Map<string, Promise<unknown>>();

  /** How many keys have work that is not done. */
  get size(): number {
    return this.newest.size;
  }

  /**
   * Work that fails fails for its caller alone: what waits behind it runs all the same. @throws
   * what the work throws.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.newest.get(key) ?? Promise.resolve()).then(work, work);
    this.newest.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.newest.get(key) === turn) this.newest.delete(key);
    }
  }

  /** Resolves when all work is done, that which came meanwhile included; however it ended. */
  async idle(): Promise<void> {
    while (this.newest.size > 0) await Promise.allSettled(this.newest.values());
  }
}
