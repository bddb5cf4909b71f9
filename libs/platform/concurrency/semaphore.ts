/** Lets a number of pieces of work run at once; the others wait, first come, first served. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly most: () => number;

  /**
   * @param most asked anew whenever work comes or ends: where it may change, what ends follows it.
   */
  constructor(most: number | (() => number)) {
    this.most = typeof most === 'number' ? () => most : most;
  }

  /** @throws the signal's reason when it aborts while the work waits; what the work throws. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.waiting.length === 0 && this.running < this.most()) this.running += 1;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.admit();
    }
  }

  /** Places go to those in line; nobody can take one in between. */
  private admit(): void {
    while (this.waiting.length > 0 && this.running < this.most()) {
      this.running += 1;
      this.waiting.shift()?.();
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal?.reason as Error);
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
