/**
 * The document of its part that a thread works on, in shared memory: a thread caught in a grammar's
 * scanner answers no message. 0 is "at none"; document `index` is `index + 1`.
 */
export class CurrentDocument {
  private readonly cell: Int32Array;

  constructor(
    readonly shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.cell = new Int32Array(shared);
  }

  at(document: number): void {
    Atomics.store(this.cell, 0, document + 1);
  }

  leave(): void {
    Atomics.store(this.cell, 0, 0);
  }

  /** The document's index in its part; null when at none. */
  get document(): number | null {
    const value = Atomics.load(this.cell, 0);
    return value === 0 ? null : value - 1;
  }
}

/** A thread was at one document of its part for too long and was ended. */
export class StuckDocumentError extends Error {
  constructor(
    /** The document's index in its part. */
    readonly document: number,
    readonly limitMs: number,
  ) {
    super(`A document took longer than ${limitMs} ms`);
    this.name = 'StuckDocumentError';
  }
}

/** Looks within the limit: this many in a row at one document end the thread. */
const LOOKS = 4;

/**
 * Calls `stuck` once when it stays at one document for `limitMs`, give or take a quarter. Looks are
 * counted, not time read, so that a machine that slept or a stalled event loop condemns nobody.
 * @returns ends the watch.
 */
export function watchDocument(
  current: CurrentDocument,
  limitMs: number,
  stuck: (error: StuckDocumentError) => void,
): () => void {
  let last: number | null = null;
  let looks = 0;
  const timer = setInterval(() => {
    const { document } = current;
    looks = document === last ? looks + 1 : 0;
    last = document;
    if (document === null || looks < LOOKS) return;
    clearInterval(timer);
    stuck(new StuckDocumentError(document, limitMs));
  }, limitMs / LOOKS);
  timer.unref();
  return () => clearInterval(timer);
}
