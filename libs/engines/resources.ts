/** Opened resources, to be closed or stopped in reverse order. */
export class Resources {
  private readonly steps: (() => unknown)[] = [];
  private closed = false;

  /**
   * Adds a step for {@link close}; after it, runs the step at once, because late resources must not
   * stay open.
   */
  add(step: () => unknown): void {
    if (!this.closed) return void this.steps.push(step);
    Promise.resolve()
      .then(step)
      .catch(() => undefined);
  }

  closing<T extends { close(): Promise<void> }>(engine: T): T {
    this.add(() => engine.close());
    return engine;
  }

  stopping<T extends { stop(): Promise<void> }>(part: T): T {
    this.add(() => part.stop());
    return part;
  }

  /**
   * Closes in reverse order; a failing step does not prevent the others.
   * @throws the first error.
   */
  async close(): Promise<void> {
    this.closed = true;
    const failures: unknown[] = [];
    for (const step of this.steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
