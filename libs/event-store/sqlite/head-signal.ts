/** The end of the log, and a way to wait until it grows. */
export class HeadSignal {
  private waiters = new Set<() => void>();
  private ended: Error | null = null;

  constructor(private place: number) {}

  get current(): number {
    return this.place;
  }

  advance(place: number): void {
    if (place <= this.place) return;
    this.place = place;
    this.wake();
  }

  /** Rejects every current and later wait with `error`. */
  end(error: Error): void {
    this.ended ??= error;
    this.wake();
  }

  /** Resolves once the log has events after `place`, or the signal aborts. */
  async passes(place: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.place <= place) {
      if (this.ended) throw this.ended;
      await this.next(signal);
    }
  }

  private async next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiters.add(done);
      signal.addEventListener('abort', done);
    });
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter();
  }
}
