/** Wakes the consumers of a topic in this process when a message may be available. */
export class Wakeups {
  private readonly waiting = new Map<
    string,
    { readonly promise: Promise<void>; resolve(): void }
  >();

  /**
   * Resolves at the next `wake` of the topic. Call it before checking, so that nothing is missed in
   * between.
   */
  next(topic: string): Promise<void> {
    let entry = this.waiting.get(topic);
    if (!entry) {
      const { promise, resolve } = Promise.withResolvers<void>();
      entry = { promise, resolve };
      this.waiting.set(topic, entry);
    }
    return entry.promise;
  }

  wake(topic: string): void {
    const entry = this.waiting.get(topic);
    this.waiting.delete(topic);
    entry?.resolve();
  }
}
