import { pieceEnd } from './token-pieces.js';

/**
 * Source code repeats itself: so many pieces are most of it. At either bound all are forgotten,
 * which does not show.
 */
const MAX_PIECES = 65_536;
const MAX_BYTES = 1_048_576;
/** A longer piece is rare and hardly comes again. */
const LONGEST_REMEMBERED = 64;
const SLOTS = 2 * MAX_PIECES;
/** A longer text is for the tokenizer itself. */
const LONGEST_TEXT = 16_384;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16_777_619;

/**
 * Counts tokens of ASCII texts piece by piece, and remembers the counts of pieces: most of a
 * tokenizer's time goes into finding a piece that it found a thousand times before. Nothing is
 * allocated for a piece that is remembered.
 */
export class TokenCounts {
  /** Longer than the longest text, so that what does not fit does not look as if it did. */
  private readonly text = Buffer.alloc(LONGEST_TEXT + 4);
  /** Which piece a slot has, one more than its number; 0 for none. */
  private readonly slots = new Int32Array(SLOTS);
  private readonly pieces = new Uint8Array(MAX_BYTES);
  /** Where each piece begins in `pieces`, and the next one would. */
  private readonly starts = new Uint32Array(MAX_PIECES + 1);
  private readonly counts = new Uint8Array(MAX_PIECES);
  private known = 0;

  /** @param countPiece counts what is not remembered: a pure function */
  constructor(private readonly countPiece: (piece: string) => number) {}

  /** @returns undefined for a text that is long or not ASCII */
  count(text: string): number | undefined {
    const { length } = text;
    // A character takes a byte exactly when it is ASCII.
    if (length > LONGEST_TEXT || this.text.write(text) !== length) return undefined;
    let total = 0;
    for (let from = 0, to: number; from < length; from = to) {
      to = pieceEnd(this.text, from, length);
      total +=
        to - from > LONGEST_REMEMBERED
          ? this.countPiece(text.slice(from, to))
          : this.remembered(text, from, to);
    }
    return total;
  }

  private remembered(text: string, from: number, to: number): number {
    const { slots, counts } = this;
    let hash = FNV_OFFSET;
    for (let at = from; at < to; at++)
      hash = Math.imul(hash ^ (this.text[at] as number), FNV_PRIME);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let piece = slots[slot] as number; piece !== 0; piece = slots[slot] as number) {
      if (this.is(piece - 1, from, to)) return counts[piece - 1] as number;
      slot = (slot + 1) & (SLOTS - 1);
    }
    const count = this.countPiece(text.slice(from, to));
    this.keep(slot, from, to, count);
    return count;
  }

  private is(piece: number, from: number, to: number): boolean {
    const start = this.starts[piece] as number;
    if ((this.starts[piece + 1] as number) - start !== to - from) return false;
    for (let at = from, known = start; at < to; at++, known++) {
      if (this.text[at] !== this.pieces[known]) return false;
    }
    return true;
  }

  private keep(slot: number, from: number, to: number, count: number): void {
    const start = this.starts[this.known] as number;
    if (this.known === MAX_PIECES || start + to - from > MAX_BYTES) {
      this.slots.fill(0);
      this.known = 0;
      return;
    }
    this.pieces.set(this.text.subarray(from, to), start);
    this.starts[this.known + 1] = start + to - from;
    this.counts[this.known] = count;
    this.slots[slot] = ++this.known;
  }
}
