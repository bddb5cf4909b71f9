import { crc32 } from 'node:zlib';

import type { RequiredText } from '#contracts/content/required-text';

import { BadSectionsError } from '../sections.js';
import { lowerBound } from '../sorted-tables.js';
import {
  decodePostings,
  type DocumentBits,
  emptyBits,
  hasNoBits,
  VarintReader,
} from './posting-list.js';
import { type TrigramCondition, trigramCondition } from './trigram-condition.js';

const FIELDS = 4;

/** The block of a pack that has one alone, until the next pack is read. */
let onlyBlock = Buffer.alloc(0);

/** Finds the documents of a pack that may contain texts. It reads a few blocks from disk. */
export class TrigramIndex {
  private readonly firstKeys: Uint32Array;

  /**
   * @param table of the blocks; see `PackedTrigrams`.
   * @param read fills the target from an offset within the section of the postings.
   * @param documents of the pack, also those whose chunks are dropped.
   */
  constructor(
    private readonly table: Uint32Array,
    private readonly read: (target: Uint8Array, offset: number) => void,
    readonly documents: number,
  ) {
    const blocks = table.length / FIELDS;
    this.firstKeys = Uint32Array.from({ length: blocks }, (_, at) => table[at * FIELDS] as number);
  }

  /**
   * Returns the documents that may meet a condition; undefined if it excludes none.
   *
   * @throws BadSectionsError for a damaged block.
   */
  matching(required: RequiredText): DocumentBits | undefined {
    return this.meeting(trigramCondition(required), new Map());
  }

  private meeting(
    condition: TrigramCondition,
    blocks: Map<number, Uint8Array>,
  ): DocumentBits | undefined {
    switch (condition.kind) {
      case 'any':
        return undefined;
      case 'all':
        return this.having(condition.keys, blocks);
      case 'and':
        return condition.parts
          .map((part) => this.meeting(part, blocks))
          .reduce((a, b) => (a && b ? intersect(a, b) : (a ?? b)), undefined);
      default: {
        const found = emptyBits(this.documents);
        for (const part of condition.parts) {
          const bits = this.meeting(part, blocks);
          if (!bits) return undefined;
          bits.forEach((word, at) => (found[at] = (found[at] as number) | word));
        }
        return found;
      }
    }
  }

  /** Returns the documents that have all trigrams, whose keys ascend. */
  private having(keys: Uint32Array, blocks: Map<number, Uint8Array>): DocumentBits {
    let found: DocumentBits | undefined;
    let reader: BlockReader | undefined;
    let current = -1;
    for (const key of keys) {
      const number = lowerBound(this.firstKeys, key + 1, 0, this.firstKeys.length) - 1;
      if (number < 0) return emptyBits(this.documents);
      if (number !== current) {
        reader = new BlockReader(this.block(number, blocks), this.firstKeys[number] as number);
        current = number;
      }
      const next = reader?.find(key, this.documents);
      if (!next) return emptyBits(this.documents);
      found = found ? intersect(found, next) : next;
      if (hasNoBits(found)) return found;
    }
    return found ?? emptyBits(this.documents);
  }

  private block(number: number, blocks: Map<number, Uint8Array>): Uint8Array {
    const before = blocks.get(number);
    if (before) return before;
    const start = number * FIELDS;
    const block = this.room(this.table[start + 2] as number);
    this.read(block, this.table[start + 1] as number);
    if (crc32(block) !== this.table[start + 3])
      throw new BadSectionsError(`trigram block ${number} is damaged`);
    blocks.set(number, block);
    return block;
  }

  /** Returns memory for a block. Small packs share it, because a search reads thousands of them. */
  private room(length: number): Uint8Array {
    if (this.firstKeys.length > 1) return Buffer.allocUnsafe(length);
    if (onlyBlock.length < length) onlyBlock = Buffer.alloc(2 * length);
    return onlyBlock.subarray(0, length);
  }
}

/** Reads the entries of a block in their order; see `encodeBlocks`. */
class BlockReader {
  private readonly entries: VarintReader;

  constructor(
    block: Uint8Array,
    private key: number,
  ) {
    this.entries = new VarintReader(block);
  }

  /** Returns the documents of a key above all keys that were found before. */
  find(key: number, documents: number): DocumentBits | undefined {
    const { entries } = this;
    while (!entries.isAtEnd) {
      this.key += entries.next();
      const coded = entries.next();
      const from = entries.at;
      entries.at += coded >>> 1;
      if (this.key < key) continue;
      if (this.key > key) return undefined;
      const bytes = entries.bytes.subarray(from, entries.at);
      return decodePostings({ isBitmap: (coded & 1) === 1, bytes }, documents);
    }
    return undefined;
  }
}

/** Keeps the bits of the first set that the second one has too. */
function intersect(a: DocumentBits, b: DocumentBits): DocumentBits {
  for (let at = 0; at < a.length; at += 1) a[at] = (a[at] as number) & (b[at] as number);
  return a;
}
