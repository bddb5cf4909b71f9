const NONE: readonly never[] = [];

/** Chunks that results stand for: their copies and translations. Chunks have numbers. */
export class Copies {
  private readonly byChunk = new Map<number, number[]>();

  readonly add = (shown: number, copies: readonly number[]): void => {
    const known = this.byChunk.get(shown);
    if (known) known.push(...copies);
    else this.byChunk.set(shown, [...copies]);
  };

  /** Returns the copies of a result with their own copies, best first. */
  of(shown: number): readonly number[] {
    const own = this.byChunk.get(shown);
    if (!own) return NONE;
    return [...new Set(own.flatMap((copy) => [copy, ...(this.byChunk.get(copy) ?? [])]))];
  }
}
