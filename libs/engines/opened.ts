/** What has to be closed, in the order it was opened. */
export class Opened {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  closing<T extends { close(): Promise<void> }>(engine: T): T {
    this.add(() => engine.close());
    return engine;
  }

  /** Closes in reverse; one that fails keeps none of the others from being closed. @throws what failed first */
  async close(): Promise<void> {
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
