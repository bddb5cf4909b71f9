import { isAscii } from 'node:buffer';

import { foldText } from '#contracts/content/required-text';

const LINE_FEED = 10;

/**
 * A text with its lines, which are cut only when they are needed. Index 0 is line 1; offsets count
 * bytes of UTF-8. It is encoded or decoded when its other form is needed.
 */
export class LineText {
  private encoded: Buffer | undefined;
  private decoded: string | undefined;
  private table: Uint32Array | undefined;
  private fold: string | null | undefined;
  private ascii: boolean | undefined;

  /** @param content a line feed at its end begins no further line. */
  constructor(content: string | Buffer) {
    if (typeof content === 'string') this.decoded = content;
    else this.encoded = content;
  }

  get text(): string {
    return (this.decoded ??= this.bytes.toString(this.isAscii ? 'latin1' : 'utf8'));
  }

  get bytes(): Buffer {
    return (this.encoded ??= Buffer.from(this.text));
  }

  /** True if each character is one byte. */
  get isAscii(): boolean {
    return (this.ascii ??= isAscii(this.bytes));
  }

  get count(): number {
    return this.starts.length - 1;
  }

  line(index: number): string {
    return this.part(this.startOf(index), this.startOf(index + 1) - 1);
  }

  /** Returns the lines of a range; the end is exclusive. */
  slice(from: number, until: number): string[] {
    const lines: string[] = [];
    for (let at = from; at < until; at += 1) lines.push(this.line(at));
    return lines;
  }

  /** Returns the text between two offsets. */
  part(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  /** Returns the offset of a line, or that of the end if there is no such line. */
  offsetOf(index: number): number {
    const { bytes } = this;
    let at = 0;
    for (let line = 0; line < index && at < bytes.length; line += 1) at = this.lineEnd(at) + 1;
    return Math.min(at, bytes.length);
  }

  /** Returns the offset of the line that contains an offset. */
  lineStart(at: number): number {
    return at === 0 ? 0 : this.bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
  }

  /** Returns the offset after the last character of the line that contains an offset. */
  lineEnd(at: number): number {
    const end = this.bytes.indexOf(LINE_FEED, at);
    return end === -1 ? this.bytes.length : end;
  }

  /** Folded text with the same offsets in UTF-16; null if a character's form has another length. */
  get folded(): string | null {
    if (this.fold === undefined) {
      // The same for ASCII, in half the time.
      const folded = this.isAscii ? this.text.toUpperCase() : foldText(this.text);
      this.fold = folded.length === this.text.length ? folded : null;
    }
    return this.fold;
  }

  /** Offsets of the lines, and at the end the offset of a line after the last one. */
  private get starts(): Uint32Array {
    return (this.table ??= startsOf(this.bytes));
  }

  private startOf(index: number): number {
    return this.starts[index] as number;
  }
}

function startsOf(bytes: Buffer): Uint32Array {
  const starts = [0];
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1))
    starts.push(at + 1);
  if (starts.at(-1) !== bytes.length) starts.push(bytes.length + 1);
  return Uint32Array.from(starts);
}
