/** Limits the pieces of work that run at once; others wait, first come, first served. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly most: () => number;

  /**
   * @param most limit, or a function that is called whenever work arrives or ends; a lower limit
   * takes effect as work ends.
   */
  constructor(most: number | (() => number)) {
    this.most = typeof most === 'number' ? () => most : most;
  }

  /** @throws the signal's reason if it aborts while the work waits; the error of the work. */
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

  /** Slots go to waiting work; nobody else can take one in between. */
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
