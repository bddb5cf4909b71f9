/** Lets a number of tasks run at once; the others wait in line. */
export class Limiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** @throws the signal's reason when it aborts while the task waits; what the task throws. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.running < this.most) this.running += 1;
    else await this.turn(signal);
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      // The place goes to the next in line; nobody can take it in between.
      if (next) next();
      else this.running -= 1;
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
