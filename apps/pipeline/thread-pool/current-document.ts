/**
 * Which document of its part a thread is at, in memory that both sides see: a thread caught in a grammar's scanner
 * answers no message. 0 is "at none"; document `index` is `index + 1`.
 */
export class CurrentDocument {
  private readonly cell: Int32Array;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
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
