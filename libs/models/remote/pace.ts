export interface PaceBounds {
  /** Texts in one request, at most. */
  readonly batch: number;
  /** Requests at once, at most. */
  readonly concurrency: number;
  /** Longest time of one request, milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Texts in the first request: what a model on a slow processor manages, and few steps from what a
 * fast one does.
 */
const FIRST_BATCH = 4;
/**
 * Shares of the time: a request that takes less may be larger, one that takes more was too large.
 */
const QUICK = 1 / 8;
const STEADY = 1 / 4;
const SLOW = 1 / 2;
/**
 * Quick answers before a size is tried again that timed out: two, doubled by each further timeout.
 */
const LONGEST_PATIENCE = 64;

/**
 * How much an endpoint is asked for at once, learnt from how long its answers take: from small to
 * large, batches first and then requests side by side, and back at once when it falls behind. A
 * server that works on one request at a time answers two of them as slowly as one twice as large,
 * so it is asked for more at once only while the largest batch is quick.
 */
export class Pace {
  private size: number;
  private lanes = 1;
  private quick = 0;
  private patience = 1;
  /** Requests of so many texts got no answer in time when there was one last. */
  private failedAt = Infinity;

  constructor(private readonly bounds: PaceBounds) {
    this.size = Math.min(FIRST_BATCH, bounds.batch);
  }

  /** Texts in the next request. */
  get batch(): number {
    return this.size;
  }

  /** Requests at once. */
  get concurrency(): number {
    return this.lanes;
  }

  answered(texts: number, elapsedMs: number): void {
    const share = elapsedMs / this.bounds.timeoutMs;
    if (share > SLOW) return texts > this.size ? undefined : this.shrink(texts);
    if (texts >= this.failedAt) {
      this.failedAt = Infinity;
      this.patience = 1;
    }
    // What is left at the end of a list says nothing of larger requests.
    if (share > STEADY || texts < this.size) return;
    this.quick += 1;
    const next = this.grown(share <= QUICK);
    const needed = (next.size >= this.failedAt ? this.patience : 1) * this.lanes;
    if (this.quick < needed) return;
    this.quick = 0;
    this.size = next.size;
    this.lanes = next.lanes;
  }

  /**
   * A request got no answer in time. One that was under way when that was known already says
   * nothing new.
   */
  timedOut(texts: number): void {
    if (texts > this.size) return;
    this.failedAt = texts;
    this.patience = Math.min(LONGEST_PATIENCE, this.patience * 2);
    this.shrink(texts);
  }

  /** The endpoint asks for fewer requests, or is in trouble. */
  overloaded(): void {
    this.quick = 0;
    this.lanes = Math.max(1, Math.floor(this.lanes / 2));
  }

  private grown(quickly: boolean): { readonly size: number; readonly lanes: number } {
    const { size, lanes } = this;
    const { batch, concurrency } = this.bounds;
    if (size < batch) return { size: Math.min(batch, quickly ? size * 2 : size + 1), lanes };
    return { size, lanes: quickly ? Math.min(concurrency, lanes + 1) : lanes };
  }

  private shrink(texts: number): void {
    this.overloaded();
    this.size = Math.max(1, Math.floor(Math.min(this.size, texts) / 2));
  }
}
