import { largestEstimate } from './signatures.js';

/** Counts estimates by their value. */
export class EstimateCounts {
  private readonly largest: number;
  /** Number of estimates of each value, from the lowest to the largest possible one. */
  private readonly counts: Uint32Array;
  total = 0;

  constructor(dimensions: number) {
    this.largest = largestEstimate(dimensions);
    this.counts = new Uint32Array(2 * this.largest + 1);
  }

  clear(): void {
    this.counts.fill(0);
    this.total = 0;
  }

  add(estimate: number): void {
    const at = estimate + this.largest;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.total += 1;
  }

  /** Returns the largest value that so many estimates reach, or the lowest possible one. */
  reached(wanted: number): number {
    const { counts } = this;
    let at = counts.length - 1;
    for (let sum = counts[at] as number; at > 0 && sum < wanted;)
      sum += counts[(at -= 1)] as number;
    return at - this.largest;
  }
}
