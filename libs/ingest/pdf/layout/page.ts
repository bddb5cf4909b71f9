/**
 * A stretch of text in one font, as the page draws it. Points, from the top left corner of the
 * visible page.
 */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  /** Position of the baseline. */
  readonly y: number;
  /** Height of the font. */
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
  /** Whether white space precedes it on its line. */
  readonly spaced: boolean;
}

/** Text of one page, in the order in which the page draws it. */
export interface PageText {
  readonly width: number;
  readonly height: number;
  readonly runs: readonly TextRun[];
}

/** An entry of the document's outline that leads to a page. */
export interface OutlineEntry {
  readonly title: string;
  /** 1 is the outermost. */
  readonly level: number;
  /** From 0. */
  readonly page: number;
}

/** Text on one baseline without a wide gap: a line of a column, a cell of a table. */
export interface Segment {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  /** Size of most of its characters. */
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
}

/** The segments of one column on one baseline, from left to right. */
export interface Line extends Segment {
  readonly cells: readonly Segment[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
