import { matchTexts } from '#contracts/content/match-texts';

import type { DocumentLines } from './document-lines.js';
import { evidenceOfDocument, evidenceOfLine } from './match-evidence.js';
import type { LineMatches } from './match-lines.js';
import {
  MOST_LINE_CHARACTERS,
  MOST_RANGES,
  type ShowMatches,
  shownLines,
  shownText,
} from './shown-lines.js';

const LINE_FEED = 10;
const FIRST_BYTES = 16 * 1024;
/** Bytes of a line's number and its colon, at most. */
const NUMBER_BYTES = 12;

/** Names of a document in an answer as text. */
export interface DocumentLabel {
  /** The path in the text. */
  readonly path: string;
  /** See `evidenceKey`. */
  readonly key: string;
}

/**
 * Matching lines as text that is ready to send, with their rows for the digest of the receipt. Both
 * are UTF-8.
 */
export interface WrittenMatches {
  /**
   * Index of each document, the number of its lines, and the ends of its text and rows. Its lines
   * follow: the number of each, and the ends of its text and row.
   */
  readonly numbers: Uint32Array<ArrayBuffer>;
  readonly text: Uint8Array<ArrayBuffer>;
  readonly evidence: Uint8Array<ArrayBuffer>;
}

/** Writes matching lines as `path:line:text`, and lines around them as `path-line-text`. */
export class LineWriter {
  private readonly text = new GrowingBytes();
  private readonly evidence = new GrowingBytes();
  private readonly numbers: number[] = [];

  /** @param labelOf returns the label of a document by its index. */
  constructor(
    private readonly labelOf: (index: number) => DocumentLabel,
    private readonly contextLines: number,
  ) {}

  /** Writes the lines of a document; one without lines is written as its path. */
  readonly write: ShowMatches<void> = (index, document, found) => {
    const label = this.labelOf(index);
    const at = this.numbers.push(index, found.length, 0, 0);
    if (found.length === 0) {
      this.text.add(`${label.path}\n`);
      this.evidence.add(evidenceOfDocument(label.key));
    } else if (this.contextLines === 0) this.addLines(label, document, found);
    else this.addWithContext(label, document, found);
    this.numbers[at - 2] = this.text.length;
    this.numbers[at - 1] = this.evidence.length;
  };

  written(): WrittenMatches {
    return {
      numbers: Uint32Array.from(this.numbers),
      text: this.text.bytes(),
      evidence: this.evidence.bytes(),
    };
  }

  private addLines(
    { path, key }: DocumentLabel,
    { lines }: DocumentLines,
    found: readonly LineMatches[],
  ): void {
    const prefix = Buffer.from(`${path}:`);
    for (const { line, start, end, ranges } of found) {
      // A line with fewer bytes has fewer characters.
      if (end - start <= MOST_LINE_CHARACTERS)
        this.text.addLine(prefix, line + 1, lines.bytes, start, end);
      else this.text.add(`${path}:${line + 1}:${shownText(lines, start, end)}\n`);
      this.addRow(key, line + 1, ranges);
    }
  }

  private addWithContext(
    { path, key }: DocumentLabel,
    document: DocumentLines,
    found: readonly LineMatches[],
  ): void {
    for (const line of shownLines(document, found, this.contextLines)) {
      this.text.add(`${matchTexts(path, line).join('\n')}\n`);
      this.addRow(key, line.number, line.ranges);
    }
  }

  private addRow(key: string, number: number, ranges: LineMatches['ranges']): void {
    this.evidence.add(evidenceOfLine(key, number, ranges.slice(0, MOST_RANGES)));
    this.numbers.push(number, this.text.length, this.evidence.length);
  }
}

/** Bytes that grow at their end. */
class GrowingBytes {
  private buffer: Buffer<ArrayBuffer> | undefined;
  length = 0;

  add(text: string): void {
    // A unit of UTF-16 has at most three bytes.
    const buffer = this.withRoom(text.length * 3);
    this.length += buffer.write(text, this.length);
  }

  /** Adds a prefix, the number of a line and a colon, and a part of a text. */
  addLine(prefix: Buffer, number: number, text: Buffer, start: number, end: number): void {
    const buffer = this.withRoom(prefix.length + NUMBER_BYTES + end - start + 1);
    let at = this.length;
    at += prefix.copy(buffer, at);
    at += buffer.write(`${number}:`, at, 'latin1');
    at += text.copy(buffer, at, start, end);
    buffer[at] = LINE_FEED;
    this.length = at + 1;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this;
    return buffer ? new Uint8Array(buffer.buffer, 0, this.length) : new Uint8Array(0);
  }

  private withRoom(bytes: number): Buffer<ArrayBuffer> {
    const needed = this.length + bytes;
    if (this.buffer && needed <= this.buffer.length) return this.buffer;
    // Memory of its own, since it is transferred.
    const next = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.length, FIRST_BYTES));
    this.buffer?.copy(next, 0, 0, this.length);
    return (this.buffer = next);
  }
}
