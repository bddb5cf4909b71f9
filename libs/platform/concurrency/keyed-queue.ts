/**
 * Runs work of one key in order of arrival, one after the other, and work of different keys
 * concurrently.
 */
export class KeyedQueue {
  /** The newest unfinished work of each key. */
  private readonly newest = new Map<string, Promise<unknown>>();

  /** Number of keys with unfinished work. */
  get size(): number {
    return this.newest.size;
  }

  /**
   * Runs work after earlier work of its key. A failure affects only its caller; later work runs
   * nevertheless.
   * @throws the error of the work.
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

  /**
   * Resolves when all work has ended with any outcome, including work that arrives during the wait.
   */
  async idle(): Promise<void> {
    while (this.newest.size > 0) await Promise.allSettled(this.newest.values());
  }
}
