import { foldText } from '#contracts/content/required-text';

/** A text with its lines, which are cut only when they are needed. Index 0 is line 1. */
export class LineText {
  private table: Uint32Array | undefined;
  private fold: string | null | undefined;

  /** @param text a line feed at its end begins no further line. */
  constructor(readonly text: string) {}

  get count(): number {
    return this.starts.length - 1;
  }

  line(index: number): string {
    return this.text.slice(this.startOf(index), this.endOf(index));
  }

  /** Returns the lines of a range; the end is exclusive. */
  slice(from: number, until: number): string[] {
    const lines: string[] = [];
    for (let at = from; at < until; at += 1) lines.push(this.line(at));
    return lines;
  }

  /** Returns the offset of the first character of a line. */
  startOf(index: number): number {
    return this.starts[index] as number;
  }

  /** Returns the offset after the last character of a line. */
  endOf(index: number): number {
    return this.startOf(index + 1) - 1;
  }

  /** Returns the line that contains an offset, at or after a line that is known to be before it. */
  lineAt(offset: number, from: number): number {
    let [low, high] = [from, this.count];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Folded text with the same offsets; null if a character has a form of another length. */
  get folded(): string | null {
    if (this.fold === undefined) {
      const folded = foldText(this.text);
      this.fold = folded.length === this.text.length ? folded : null;
    }
    return this.fold;
  }

  /** Offsets of the lines, and at the end the offset of a line after the last one. */
  private get starts(): Uint32Array {
    return (this.table ??= startsOf(this.text));
  }
}

function startsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length + 1);
  return Uint32Array.from(starts);
}
