/** Runs the changes of one source in order, and those of different sources concurrently. */
export class SourceChanges {
  /** The last change of each source. */
  private readonly last = new Map<string, Promise<unknown>>();
  /** Pending while nothing may change. */
  private held: Promise<void> | undefined;

  /**
   * Runs a change. Its failure affects only its caller.
   * @throws the error of the work.
   */
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

  /** Runs work while nothing changes: after every requested change, and before later ones. */
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

  /** Resolves when every requested change has ended, with any outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.last.values());
  }
}
