import { isUtf8 } from 'node:buffer';

import { MARK_BYTES, slotOf, startsWithMark, type VocabularyTables } from './vocabulary-tables.js';

/**
 * Tokens and their ranks, as bytes in a few arrays: 5 MiB for o200k. The same table as strings in a
 * `Map` takes 20 MiB in each thread.
 */
export class TokenVocabulary {
  constructor(private readonly tables: VocabularyTables) {}

  /**
   * Returns the rank of a token, or -1 for other bytes. As in gpt-tokenizer, whose counts the
   * index has, a byte order mark at the start of text is ignored.
   */
  rank(text: Uint8Array, from: number, to: number): number {
    if (!startsWithMark(text, from, to)) return this.find(text, from, to);
    return isUtf8(text.subarray(from, to)) ? this.find(text, from + MARK_BYTES, to) : -1;
  }

  /** Returns true if a whole text is a token. With a byte order mark at its start it is not. */
  has(text: Uint8Array, from: number, to: number): boolean {
    return !startsWithMark(text, from, to) && this.find(text, from, to) >= 0;
  }

  private find(text: Uint8Array, from: number, to: number): number {
    const { slots, ranks } = this.tables;
    const last = slots.length - 1;
    let slot = slotOf(text, from, to) & last;
    for (let token = slots[slot] as number; token !== 0; token = slots[slot] as number) {
      if (this.is(token - 1, text, from, to)) return ranks[token - 1] as number;
      slot = (slot + 1) & last;
    }
    return -1;
  }

  private is(token: number, text: Uint8Array, from: number, to: number): boolean {
    const { starts, bytes } = this.tables;
    const start = starts[token] as number;
    if ((starts[token + 1] as number) - start !== to - from) return false;
    for (let at = from, known = start; at < to; at++, known++) {
      if (text[at] !== bytes[known]) return false;
    }
    return true;
  }
}
