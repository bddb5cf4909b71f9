import { FootnoteError } from '#contracts';

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Lets a bounded number of appends into the client at once. More than 15 would fill its write
 * buffer, and a connection that breaks while that is full ends the process with a rejection that
 * nobody can catch.
 */
export class AppendGate {
  private readonly waiting = new Set<Waiter>();
  private inside = 0;

  constructor(
    private readonly width: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * @throws FootnoteError `engine_unavailable` when too many wait, or this one has for too long;
   * then nothing was sent.
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
  return new FootnoteError('engine_unavailable', 'The event store has too much to do.', {
    retryAfter: 1,
  });
}
