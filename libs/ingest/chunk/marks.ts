import type { Mark } from '../parse/parsed-document.js';

/** Marks of a page, looked up by row. */
export class Marks {
  /** Rows that a chunk never crosses. */
  readonly breaks: ReadonlySet<number>;

  /** @param marks in the order of their rows. */
  constructor(private readonly marks: readonly Mark[]) {
    this.breaks = new Set(marks.flatMap(({ row, breaks }) => (breaks ? row : [])));
  }

  /** Returns the fragment in force at a row. */
  at(row: number): string | undefined {
    let low = 0;
    let high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.marks[middle] as Mark).row <= row) low = middle + 1;
      else high = middle;
    }
    return this.marks[low - 1]?.fragment ?? undefined;
  }
}
