/** Changes of one source happen one after the other, those of different sources side by side. */
export class SourceChanges {
  /** The last change of each source. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** While nothing may change. */
  private held: Promise<void> | undefined;

  /** A change that fails fails for its caller alone. @throws what the work throws. */
  run<T>(tenantId: string, sourceId: string, work: () => Promise<T>): Promise<T> {
    const key = `${tenantId}/${sourceId}`;
    const before = Promise.allSettled([this.last.get(key), this.held]);
    const done = before.then(work);
    this.last.set(key, done);
    const forget = (): void => {
      if (this.last.get(key) === done) this.last.delete(key);
    };
    done.then(forget, forget);
    return done;
  }

  /**
   * Runs work while nothing is changed: after every change that was asked for, and before those
   * that come meanwhile.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const over = Promise.withResolvers<void>();
    this.held = over.promise;
    try {
      await this.settled();
      return await work();
    } finally {
      this.held = undefined;
      over.resolve();
    }
  }

  /** Resolves when every change that was asked for is over, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.last.values());
  }
}
