import { crc32 } from 'node:zlib';

import { countTexts, type RequiredText } from '#contracts/content/required-text';

import { BadSectionsError } from '../sections.js';
import { lowerBound } from '../sorted-tables.js';
import { decodePostings, type DocumentBits, emptyBits, readVarint } from './posting-list.js';
import { eachTrigram } from './trigram-keys.js';

const FIELDS = 4;
/** Trigrams of one text that are looked up; each further one excludes few documents. */
const MOST_LOOKUPS_OF_TEXT = 16;
/** Trigrams of a condition that are looked up: a few milliseconds of work. */
const MOST_LOOKUPS = 128;
/** A condition of more texts excludes nothing, because too few trigrams of each can be used. */
const MOST_TEXTS = 64;

/** Finds the documents of a pack that may contain texts. It reads a few blocks from disk. */
export class TrigramIndex {
  private readonly firstKeys: Uint32Array;

  /**
   * @param table of the blocks; see `PackedTrigrams`.
   * @param read takes offset and length within the section of the postings.
   * @param documents of the pack, also those whose chunks are dropped.
   */
  constructor(
    private readonly table: Uint32Array,
    private readonly read: (offset: number, length: number) => Uint8Array,
    private readonly documents: number,
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
    const texts = countTexts(required);
    if (texts > MOST_TEXTS) return undefined;
    const lookups = Math.min(MOST_LOOKUPS_OF_TEXT, Math.floor(MOST_LOOKUPS / texts));
    const blocks = new Map<number, Uint8Array>();
    const evaluate = (node: RequiredText): DocumentBits | undefined => {
      switch (node.kind) {
        case 'any':
          return undefined;
        case 'text':
          return this.containing(node.text, lookups, blocks);
        case 'and':
          return node.parts.map(evaluate).reduce(intersection, undefined);
        default: {
          const parts = node.parts.map(evaluate);
          const known = parts.filter((part) => part !== undefined);
          return known.length < parts.length
            ? undefined
            : known.reduce(union, emptyBits(this.documents));
        }
      }
    };
    return evaluate(required);
  }

  private containing(
    text: string,
    lookups: number,
    blocks: Map<number, Uint8Array>,
  ): DocumentBits | undefined {
    const keys: number[] = [];
    eachTrigram(text, (key) => keys.push(key));
    const step = Math.max(1, keys.length / lookups);
    let found: DocumentBits | undefined;
    for (let at = 0; at < keys.length; at += step) {
      const next = this.postings(keys[Math.floor(at)] as number, blocks);
      if (!next) return emptyBits(this.documents);
      found = intersection(found, next);
    }
    return found;
  }

  /** Returns the documents of a trigram; undefined if there are none. */
  private postings(key: number, blocks: Map<number, Uint8Array>): DocumentBits | undefined {
    const after = lowerBound(this.firstKeys, key + 1, 0, this.firstKeys.length);
    const number = after - 1;
    if (number < 0) return undefined;
    const block = blocks.get(number) ?? this.block(number);
    blocks.set(number, block);
    let current = this.firstKeys[number] as number;
    for (let at = 0; at < block.length;) {
      const [distance, lengthAt] = readVarint(block, at);
      const [coded, from] = readVarint(block, lengthAt);
      current += distance;
      at = from + (coded >>> 1);
      if (current > key) return undefined;
      if (current < key) continue;
      const postings = { isBitmap: (coded & 1) === 1, bytes: block.subarray(from, at) };
      return decodePostings(postings, this.documents);
    }
    return undefined;
  }

  private block(number: number): Uint8Array {
    const [, offset = 0, length = 0, crc] = this.table.subarray(number * FIELDS);
    const block = this.read(offset, length);
    if (crc32(block) !== crc) throw new BadSectionsError(`trigram block ${number} is damaged`);
    return block;
  }
}

function intersection(
  a: DocumentBits | undefined,
  b: DocumentBits | undefined,
): DocumentBits | undefined {
  if (!a || !b) return a ?? b;
  return a.map((word, at) => word & (b[at] as number));
}

function union(a: DocumentBits, b: DocumentBits): DocumentBits {
  return a.map((word, at) => word | (b[at] as number));
}
