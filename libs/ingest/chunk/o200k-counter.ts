import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

import { o200kTables } from './o200k-tables.js';
import { TokenVocabulary } from './o200k-vocabulary.js';

const NOTHING = 0xffff_ffff;

/**
 * Counts o200k tokens by byte pair encoding. The counts are those of gpt-tokenizer's `countTokens`
 * without special tokens. That package provides the pattern of the pieces and the vocabulary.
 */
export class O200kCounter {
  private readonly vocabulary: TokenVocabulary;
  private text = Buffer.alloc(256);
  /** Start of each part of a piece, and the end of the piece. */
  private starts = new Uint32Array(257);
  /** Rank of each part together with the next one. */
  private ranks = new Uint32Array(257);

  constructor() {
    this.vocabulary = new TokenVocabulary(o200kTables());
  }

  /** Returns the number of tokens of a text. */
  count(text: string): number {
    let total = 0;
    for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) total += this.piece(piece);
    return total;
  }

  private piece(piece: string): number {
    const most = piece.length * 3;
    if (most > this.text.length) this.grow(most);
    const length = this.text.write(piece);
    if (length === 1) return 1;
    // Half a surrogate pair is encoded as another character, whose token it is not.
    if (this.vocabulary.has(this.text, 0, length) && piece.isWellFormed()) return 1;
    return this.merge(length);
  }

  /** Joins the two neighbors with the lowest rank, the first of several, until none has a rank. */
  private merge(length: number): number {
    const { starts, ranks } = this;
    for (let at = 0; at <= length; at++) starts[at] = at;
    for (let at = 0; at < length; at++) ranks[at] = this.rankAt(at, length);
    let parts = length;
    for (;;) {
      let lowest = NOTHING;
      let first = -1;
      for (let at = 0; at < parts - 1; at++) {
        if ((ranks[at] as number) < lowest) [lowest, first] = [ranks[at] as number, at];
      }
      if (first < 0) return parts;
      starts.copyWithin(first + 1, first + 2, parts + 1);
      ranks.copyWithin(first, first + 1, parts);
      parts -= 1;
      ranks[first] = this.rankAt(first, parts);
      if (first > 0) ranks[first - 1] = this.rankAt(first - 1, parts);
    }
  }

  private rankAt(part: number, parts: number): number {
    if (part + 2 > parts) return NOTHING;
    const [from, to] = [this.starts[part] as number, this.starts[part + 2] as number];
    const rank = this.vocabulary.rank(this.text, from, to);
    return rank < 0 ? NOTHING : rank;
  }

  private grow(bytes: number): void {
    this.text = Buffer.alloc(bytes);
    this.starts = new Uint32Array(bytes + 1);
    this.ranks = new Uint32Array(bytes + 1);
  }
}
