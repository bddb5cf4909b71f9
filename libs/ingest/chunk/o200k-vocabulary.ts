import { isUtf8 } from 'node:buffer';

/** Slots of the hash table: more than twice the tokens of o200k. */
const SLOTS = 2 ** 19;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 16_777_619;
const [SPACE, NEWLINE, PADDING, ZERO] = Buffer.from(' \n=0') as unknown as [
  number,
  number,
  number,
  number,
];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Value of each base64 digit. */
const DIGITS = new Uint8Array(128);
Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').forEach(
  (digit, value) => (DIGITS[digit.charCodeAt(0)] = value),
);

/**
 * Tokens and their ranks, as bytes in a few arrays: 6 MiB for o200k. The same table as strings in a
 * `Map` takes 20 MiB in each thread, and five times the processor time to load.
 */
export class TokenVocabulary {
  private readonly bytes: Uint8Array;
  /** Start and end in `bytes`, and the rank, of each token. */
  private readonly starts: Uint32Array;
  private readonly ranks: Uint32Array;
  /** Token of each slot plus one; 0 if the slot is empty. */
  private readonly slots = new Int32Array(SLOTS);

  /**
   * @param file lines of a token in base64, a space and its rank.
   * @throws RangeError for too many tokens.
   */
  constructor(file: Uint8Array) {
    const lines = linesOf(file);
    if (lines * 2 > SLOTS) throw new RangeError(`a vocabulary has at most ${SLOTS / 2} tokens`);
    this.bytes = new Uint8Array(Math.ceil((file.length * 3) / 4));
    this.starts = new Uint32Array(lines + 1);
    this.ranks = new Uint32Array(lines);
    let token = 0;
    for (let at = 0; at < file.length; token++) at = this.read(file, at, token);
    this.bytes = this.bytes.slice(0, this.starts[token]);
    for (let each = 0; each < token; each++) this.list(each);
  }

  /**
   * Returns the rank of a token, or -1 for other bytes. As in gpt-tokenizer, whose counts the
   * index has, a byte order mark at the start of text is ignored.
   */
  rank(text: Uint8Array, from: number, to: number): number {
    if (!startsWithMark(text, from, to)) return this.find(text, from, to);
    return isUtf8(text.subarray(from, to))
      ? this.find(text, from + BYTE_ORDER_MARK.length, to)
      : -1;
  }

  /** Returns true if a whole text is a token. With a byte order mark at its start it is not. */
  has(text: Uint8Array, from: number, to: number): boolean {
    return !startsWithMark(text, from, to) && this.find(text, from, to) >= 0;
  }

  /** Reads one line. @returns the start of the next one. */
  private read(file: Uint8Array, from: number, token: number): number {
    let end = this.starts[token] as number;
    let at = from;
    for (let bits = 0, value = 0; file[at] !== SPACE; at++) {
      if (file[at] === PADDING) continue;
      value = ((value << 6) | (DIGITS[file[at] as number] as number)) & 0xffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      this.bytes[end++] = value >> bits;
    }
    let rank = 0;
    for (at++; at < file.length && file[at] !== NEWLINE; at++) {
      rank = rank * 10 + (file[at] as number) - ZERO;
    }
    this.starts[token + 1] = end;
    this.ranks[token] = rank;
    return at + 1;
  }

  private list(token: number): void {
    const [from, to] = [this.starts[token] as number, this.starts[token + 1] as number];
    // Never found, since the mark of a text is ignored.
    if (startsWithMark(this.bytes, from, to)) return;
    let slot = slotOf(this.bytes, from, to);
    while (this.slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.slots[slot] = token + 1;
  }

  private find(text: Uint8Array, from: number, to: number): number {
    let slot = slotOf(text, from, to);
    for (let token = this.slots[slot] as number; token !== 0; token = this.slots[slot] as number) {
      if (this.is(token - 1, text, from, to)) return this.ranks[token - 1] as number;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return -1;
  }

  private is(token: number, text: Uint8Array, from: number, to: number): boolean {
    const start = this.starts[token] as number;
    if ((this.starts[token + 1] as number) - start !== to - from) return false;
    for (let at = from, known = start; at < to; at++, known++) {
      if (text[at] !== this.bytes[known]) return false;
    }
    return true;
  }
}

function linesOf(file: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < file.length; at = file.indexOf(NEWLINE, at) + 1 || file.length) lines++;
  return lines;
}

function startsWithMark(text: Uint8Array, from: number, to: number): boolean {
  return (
    text[from] === BYTE_ORDER_MARK[0] &&
    to - from >= BYTE_ORDER_MARK.length &&
    text[from + 1] === BYTE_ORDER_MARK[1] &&
    text[from + 2] === BYTE_ORDER_MARK[2]
  );
}

function slotOf(text: Uint8Array, from: number, to: number): number {
  let hash = FNV_OFFSET;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text[at] as number), FNV_PRIME);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
