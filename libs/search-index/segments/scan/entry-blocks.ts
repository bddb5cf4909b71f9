const LEAST_NUMBERS = 1_024;

/** A range of entries. */
interface Block {
  readonly at: number;
  readonly size: number;
}

/**
 * Reserves ranges of consecutive entries and reuses released ones of the same size class. Sizes are
 * rounded up to the next of eight steps per power of two, so at most an eighth is unused.
 */
export class EntryBlocks {
  private readonly free = new Map<number, number[]>();
  /** Number of entries that were ever reserved at once. */
  end = 0;

  /** @returns the block's first entry. */
  reserve(entries: number): number {
    const size = roomFor(entries);
    const reused = this.free.get(size)?.pop();
    if (reused !== undefined) return reused;
    const at = this.end;
    this.end += size;
    return at;
  }

  /** Releases a block that was reserved for the same number of entries. */
  release({ at, size: entries }: Block): void {
    const size = roomFor(entries);
    const known = this.free.get(size);
    if (known) known.push(at);
    else this.free.set(size, [at]);
  }
}

/** Returns the size of the block that is reserved for so many entries. */
export function roomFor(entries: number): number {
  const step = 1 << Math.max(0, 28 - Math.clz32(entries));
  return Math.ceil(entries / step) * step;
}

/** Returns numbers with room for so many, in more memory if they need it. */
export function withRoom(numbers: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  if (needed <= numbers.length) return numbers as Uint32Array<ArrayBuffer>;
  const more = new Uint32Array(Math.max(LEAST_NUMBERS, needed, Math.ceil(numbers.length * 1.5)));
  more.set(numbers);
  return more;
}
