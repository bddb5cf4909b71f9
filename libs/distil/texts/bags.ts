/**
 * Texts as their terms, by number, with frequencies. One array for all of them, because there are
 * many.
 */
export class Bags {
  private terms = new Uint32Array(1 << 16);
  private frequencies = new Uint8Array(1 << 16);
  private readonly ends: number[] = [];

  get count(): number {
    return this.ends.length;
  }

  add(terms: ArrayLike<number>, frequencies: ArrayLike<number>): void {
    const from = this.ends.at(-1) ?? 0;
    const to = from + terms.length;
    if (to > this.terms.length) this.grow(to);
    this.terms.set(terms, from);
    this.frequencies.set(frequencies, from);
    this.ends.push(to);
  }

  /** Returns views that are valid until the next text is added. */
  at(text: number): { readonly terms: Uint32Array; readonly frequencies: Uint8Array } {
    const from = text === 0 ? 0 : (this.ends[text - 1] as number);
    const to = this.ends[text] as number;
    return {
      terms: this.terms.subarray(from, to),
      frequencies: this.frequencies.subarray(from, to),
    };
  }

  private grow(least: number): void {
    const size = Math.max(least, this.terms.length * 2);
    const { terms, frequencies } = this;
    this.terms = new Uint32Array(size);
    this.terms.set(terms);
    this.frequencies = new Uint8Array(size);
    this.frequencies.set(frequencies);
  }
}
