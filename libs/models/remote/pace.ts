export interface PaceBounds {
  /** Maximum texts in one request. */
  readonly batch: number;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  /** Timeout of one request, milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Texts in the first request: suitable for a model on a slow processor, and a few steps below a
 * fast one.
 */
const FIRST_BATCH = 4;
/** Fractions of the timeout: a faster request may grow, a slower one was too large. */
const QUICK = 1 / 8;
const STEADY = 1 / 4;
const SLOW = 1 / 2;
/**
 * Maximum number of quick answers before a size that timed out is tried again: two, doubled by each
 * further timeout.
 */
const MAX_QUICK_ANSWERS = 64;

/**
 * The amount of work for an endpoint, learned from its response times. It grows from small to
 * large, batches first and then concurrent requests, and is halved at once when answers slow down.
 * A server that processes one request at a time answers two of them as slowly as one twice as
 * large. So concurrency grows only while the largest batch is quick.
 */
export class Pace {
  private size: number;
  private lanes = 1;
  private quick = 0;
  private quickAnswersNeeded = 1;
  /** Size of the requests at the last timeout. */
  private failedAt = Infinity;

  constructor(private readonly bounds: PaceBounds) {
    this.size = Math.min(FIRST_BATCH, bounds.batch);
  }

  /** Texts in the next request. */
  get batch(): number {
    return this.size;
  }

  /** Current number of concurrent requests. */
  get concurrency(): number {
    return this.lanes;
  }

  answered(texts: number, elapsedMs: number): void {
    const share = elapsedMs / this.bounds.timeoutMs;
    if (share > SLOW) return texts > this.size ? undefined : this.shrink(texts);
    if (texts >= this.failedAt) {
      this.failedAt = Infinity;
      this.quickAnswersNeeded = 1;
    }
    // The rest at the end of a list proves nothing about larger requests.
    if (share > STEADY || texts < this.size) return;
    this.quick += 1;
    const next = this.grown(share <= QUICK);
    const needed = (next.size >= this.failedAt ? this.quickAnswersNeeded : 1) * this.lanes;
    if (this.quick < needed) return;
    this.quick = 0;
    this.size = next.size;
    this.lanes = next.lanes;
  }

  /**
   * Records a timeout. A request that was in flight before an earlier timeout adds no information.
   */
  timedOut(texts: number): void {
    if (texts > this.size) return;
    this.failedAt = texts;
    this.quickAnswersNeeded = Math.min(MAX_QUICK_ANSWERS, this.quickAnswersNeeded * 2);
    this.shrink(texts);
  }

  /** Records that the endpoint requested fewer requests, or has a problem. */
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
