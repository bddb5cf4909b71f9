/** Wakes one waiter, once for any number of signals before its wait. */
export class Signal {
  private rung = false;
  private wake: (() => void) | undefined;

  /** @param ended wakes the waiter too, for good. */
  constructor(private readonly ended: AbortSignal) {
    ended.addEventListener('abort', () => this.wake?.(), { once: true });
  }

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /**
   * Waits for a ring since the last wait, at most `milliseconds`. @returns false when it waited in
   * vain.
   */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.rung && !this.ended.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    const happened = this.rung || this.ended.aborted;
    this.rung = false;
    return happened;
  }
}
