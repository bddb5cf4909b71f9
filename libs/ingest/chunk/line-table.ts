const NEWLINE = 10;

/**
 * Lines of a text, split only at `\n`. A preceding `\r` belongs to its line, and so does every
 * other separator. The counts match those of git, `sed -n` and "go to line" in editors, so a
 * citation can be opened. Lines are 0-based.
 */
export class LineTable {
  /** Offset (UTF-16 units) of each line's first character. */
  private readonly starts: number[] = [0];

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
    if (this.starts.at(-1) === text.length) this.starts.pop();
  }

  /** Number of lines; a final `\n` starts no further one, and an empty text has none. */
  get count(): number {
    return this.starts.length;
  }

  startOf(line: number): number {
    return this.starts[line] ?? this.text.length;
  }

  /** Returns the end of the line's characters, without its `\n`. */
  endOf(line: number): number {
    const next = this.startOf(line + 1);
    return next > 0 && this.text.charCodeAt(next - 1) === NEWLINE && next > this.startOf(line)
      ? next - 1
      : next;
  }

  /** Returns the line that contains `offset`. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  isBlank(line: number): boolean {
    return isBlankBetween(this.text, this.startOf(line), this.endOf(line));
  }

  /**
   * Returns lines `first` to `last`, both included, exactly as in the file, without the last one's
   * `\n`.
   */
  slice(first: number, last: number): string {
    return this.text.slice(this.startOf(first), this.endOf(last));
  }

  /** Returns the number of characters in lines `first` to `last`, without the last one's `\n`. */
  length(first: number, last: number): number {
    return this.endOf(last) - this.startOf(first);
  }
}

/**
 * Returns true if `text` has only white space (a byte order mark included) from `start` up to
 * `end`.
 */
export function isBlankBetween(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 32 || (unit >= 9 && unit <= 13)) continue;
    if (unit < 128 || text.charAt(at).trim() !== '') return false;
  }
  return true;
}
