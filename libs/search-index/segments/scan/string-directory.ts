import { randomInt } from 'node:crypto';

import { hashOf } from '../../pack/sorted-tables.js';
import { EntryBlocks } from './entry-blocks.js';

/** Distinct strings of one pack, by their index: ranges of UTF-8 bytes. */
export interface ListedStrings {
  readonly size: number;
  readonly bytes: Uint8Array;
  startOf(index: number): number;
  endOf(index: number): number;
}

interface ListedPack {
  readonly strings: ListedStrings;
  /** The first of its consecutive entries. */
  readonly at: number;
}

/** End of a chain, and a bucket that was never used. */
const NONE = -1;
/** A bucket whose chain became empty: a search for a string continues behind it. */
const EMPTIED = -2;
const MIN_BUCKETS = 1_024;
const MIN_ENTRIES = 4_096;
/** Numbers of an entry's link, and which of them is the next entry. */
const [LINK, NEXT] = [2, 1];

/**
 * Finds the packs that contain a string: a hash table of chains with one entry per pack. A pack is
 * added and removed in time that depends only on its own strings. An entry takes 12 bytes, a
 * distinct string 8 to 16 more; the strings stay in their packs.
 */
export class StringDirectory {
  private readonly seed = randomInt(2 ** 32);
  private readonly blocks = new EntryBlocks();
  /** By slot. */
  private readonly packs: (ListedPack | undefined)[] = [];
  /** By slot, the first entry of its pack. */
  private readonly firstEntries: number[] = [];
  /** By entry: its slot, and the next entry of the chain, side by side for the one who visits. */
  private links = new Int32Array(MIN_ENTRIES * LINK);
  /** By entry: the entry before it in the chain. The first one names its bucket, `~bucket`. */
  private before = new Int32Array(MIN_ENTRIES);
  /** By bucket: the hash of a string, and the first entry of its chain. */
  private hashes = new Uint32Array(MIN_BUCKETS);
  private heads = new Int32Array(MIN_BUCKETS).fill(NONE);
  /** Number of buckets that are not `NONE`, and of those that have a chain. */
  private used = 0;
  private chains = 0;

  /** Adds the strings of a pack under an unused slot. */
  add(slot: number, strings: ListedStrings): void {
    const at = this.blocks.reserve(strings.size);
    this.growEntries();
    this.packs[slot] = { strings, at };
    this.firstEntries[slot] = at;
    for (let index = 0; index < strings.size; index += 1) {
      if (this.used >= this.heads.length * 0.6) this.rehash();
      const bucket = this.bucketFor(strings, index);
      const entry = at + index;
      const head = this.heads[bucket] as number;
      if (head >= 0) this.before[head] = entry;
      else this.chains += 1;
      if (head === NONE) this.used += 1;
      this.links[entry * LINK] = slot;
      this.links[entry * LINK + NEXT] = head >= 0 ? head : NONE;
      this.before[entry] = ~bucket;
      this.heads[bucket] = entry;
    }
  }

  /** Removes the strings of a pack; its slot is unused then. */
  remove(slot: number): void {
    const pack = this.packs[slot];
    if (!pack) return;
    const { at, strings } = pack;
    for (let entry = at; entry < at + strings.size; entry += 1) {
      const next = this.links[entry * LINK + NEXT] as number;
      const before = this.before[entry] as number;
      if (next !== NONE) this.before[next] = before;
      if (before >= 0) this.links[before * LINK + NEXT] = next;
      else if (next !== NONE) this.heads[~before] = next;
      else {
        this.heads[~before] = EMPTIED;
        this.chains -= 1;
      }
    }
    this.packs[slot] = undefined;
    this.blocks.release({ at, size: strings.size });
  }

  /**
   * Calls `visit` for each pack that contains a string, in no order.
   * @returns the number of calls.
   */
  visit(text: string, visit: (slot: number, index: number) => void): number {
    const bytes = Buffer.from(text);
    const bucket = this.find(bytes);
    let visited = 0;
    let entry = bucket === NONE ? NONE : (this.heads[bucket] as number);
    while (entry >= 0) {
      const slot = this.links[entry * LINK] as number;
      visit(slot, entry - (this.firstEntries[slot] as number));
      visited += 1;
      entry = this.links[entry * LINK + NEXT] as number;
    }
    return visited;
  }

  /** @returns the bucket with the string's chain, or -1. */
  private find(wanted: Uint8Array): number {
    const hash = hashOf(wanted, 0, wanted.length, this.seed);
    const mask = this.heads.length - 1;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const head = this.heads[bucket] as number;
      if (head === NONE) return NONE;
      if (this.isChainOf(bucket, hash, wanted, 0, wanted.length)) return bucket;
    }
  }

  /** Returns the bucket with the string's chain, or one for a new chain. */
  private bucketFor(strings: ListedStrings, index: number): number {
    const { bytes } = strings;
    const [from, to] = [strings.startOf(index), strings.endOf(index)];
    const hash = hashOf(bytes, from, to, this.seed);
    const mask = this.heads.length - 1;
    let emptied = NONE;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const head = this.heads[bucket] as number;
      if (head === NONE) {
        const chosen = emptied === NONE ? bucket : emptied;
        this.hashes[chosen] = hash;
        return chosen;
      }
      if (head === EMPTIED) emptied = emptied === NONE ? bucket : emptied;
      else if (this.isChainOf(bucket, hash, bytes, from, to)) return bucket;
    }
  }

  /** Returns whether a bucket has the chain of a string, given as a range of bytes. */
  private isChainOf(
    bucket: number,
    hash: number,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    const head = this.heads[bucket] as number;
    if (head < 0 || this.hashes[bucket] !== hash) return false;
    const { strings, at } = this.packs[this.links[head * LINK] as number] as ListedPack;
    const start = strings.startOf(head - at);
    if (strings.endOf(head - at) - start !== to - from) return false;
    for (let i = from; i < to; i += 1)
      if (bytes[i] !== strings.bytes[start + i - from]) return false;
    return true;
  }

  private growEntries(): void {
    if (this.blocks.end <= this.before.length) return;
    const size = Math.max(this.blocks.end, Math.ceil(this.before.length * 1.5));
    const { links, before } = this;
    this.links = new Int32Array(size * LINK);
    this.before = new Int32Array(size);
    this.links.set(links);
    this.before.set(before);
  }

  /** Moves the chains to new buckets, without emptied ones; a chain moves by its first entry. */
  private rehash(): void {
    const { hashes, heads } = this;
    let buckets = MIN_BUCKETS;
    while (this.chains >= buckets * 0.4) buckets *= 2;
    this.hashes = new Uint32Array(buckets);
    this.heads = new Int32Array(buckets).fill(NONE);
    this.used = this.chains;
    for (let from = 0; from < heads.length; from += 1) {
      const head = heads[from] as number;
      if (head < 0) continue;
      const hash = hashes[from] as number;
      let bucket = hash & (buckets - 1);
      while (this.heads[bucket] !== NONE) bucket = (bucket + 1) & (buckets - 1);
      this.hashes[bucket] = hash;
      this.heads[bucket] = head;
      this.before[head] = ~bucket;
    }
  }
}
