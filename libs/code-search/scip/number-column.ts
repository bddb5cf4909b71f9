/** A growing list of numbers from 0 to 2³² − 1. */
export class NumberColumn {
  private numbers = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = value;
  }

  at(index: number): number {
    return this.numbers[index] as number;
  }

  /** Returns the numbers without a copy; later changes may not show. */
  get values(): Uint32Array {
    return this.numbers.subarray(0, this.length);
  }
}
