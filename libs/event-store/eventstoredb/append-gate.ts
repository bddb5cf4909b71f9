import { FootnoteError } from '#contracts';

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits the appends that are in the client at once. More than 15 would fill its write buffer. If a
 * connection breaks while that buffer is full, an uncatchable rejection ends the process.
 */
export class AppendGate {
  private readonly waiting = new Set<Waiter>();
  private inside = 0;

  constructor(
    private readonly width: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * @throws FootnoteError `engine_unavailable` if too many wait, or this one waited too long; then
   * nothing was sent.
   */
  async enter(timeoutMs: number): Promise<void> {
    if (this.inside < this.width) {
      this.inside += 1;
      return;
    }
    if (this.waiting.size >= this.maxWaiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(waiter);
        reject(busy());
      }, timeoutMs);
      const waiter: Waiter = { enter: resolve, timer };
      this.waiting.add(waiter);
    });
  }

  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.inside -= 1;
      return;
    }
    this.waiting.delete(next);
    clearTimeout(next.timer);
    next.enter();
  }
}

function busy(): FootnoteError {
  return new FootnoteError(
    'engine_unavailable',
    'The event store is overloaded; repeat the request',
    {
      retryAfter: 1,
    },
  );
}
