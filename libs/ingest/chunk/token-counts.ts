import { pieceEnd } from './token-pieces.js';

/**
 * Maximum number of cached pieces; source code repeats itself, so these are most pieces. At either
 * limit the cache is cleared, which does not change results.
 */
const MAX_PIECES = 65_536;
const MAX_BYTES = 1_048_576;
/** Maximum length of a cached piece. Longer ones are rare and seldom occur again. */
const LONGEST_REMEMBERED = 64;
const SLOTS = 2 * MAX_PIECES;
/** Maximum length of a text; the tokenizer itself counts longer ones. */
const LONGEST_TEXT = 16_384;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16_777_619;

/**
 * Counter of tokens in ASCII texts, piece by piece, with a cache of counts. A tokenizer spends most
 * of its time on pieces that it has counted many times before. A cached piece needs no allocation.
 */
export class TokenCounts {
  /** Buffer longer than the longest text, so that a text that does not fit is detected. */
  private readonly text = Buffer.alloc(LONGEST_TEXT + 4);
  /** Piece number of each slot plus one; 0 if the slot is empty. */
  private readonly slots = new Int32Array(SLOTS);
  private readonly pieces = new Uint8Array(MAX_BYTES);
  /** Start of each piece in `pieces`, and of the next one. */
  private readonly starts = new Uint32Array(MAX_PIECES + 1);
  private readonly counts = new Uint8Array(MAX_PIECES);
  private known = 0;

  /** @param countPiece pure function that counts the tokens of a piece that is not cached */
  constructor(private readonly countPiece: (piece: string) => number) {}

  /** Returns the number of tokens, or undefined for a text that is long or not ASCII. */
  count(text: string): number | undefined {
    const { length } = text;
    // Only ASCII characters take exactly one byte.
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
