/** Lets a number of pieces of work run at once; the others wait, first come, first served. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private permits: number) {}

  /** Runs `work` when there is a permit for it, which is given back however the work ends. @throws what the work throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.permits > 0) this.permits -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.permits += 1;
    }
  }
}
