import { randomInt } from 'node:crypto';

import { hashOf } from '../../pack/sorted-tables.js';
import { EntryBlocks, roomFor, withRoom } from './entry-blocks.js';

/** Distinct strings of one pack, by their index: ranges of UTF-8 bytes. */
export interface ListedStrings {
  readonly size: number;
  readonly bytes: Uint8Array;
  startOf(index: number): number;
  endOf(index: number): number;
}

interface ListedPack {
  readonly strings: ListedStrings;
  /** The first of its consecutive entries in `positions`. */
  readonly at: number;
}

/** A bucket that was never used. */
const NONE = -1;
/** A bucket whose list became empty: a search for a string continues behind it. */
const EMPTIED = -2;
const MIN_BUCKETS = 1_024;
const MIN_ENTRIES = 4_096;
/** Numbers of a member of a list: the slot of a pack, and the index of the string in it. */
const [MEMBER, INDEX] = [2, 1];

/**
 * Finds the packs that contain a string: a hash table of lists with one member per pack. The
 * members of a list lie side by side, since a string in thousands of packs is read as a whole. A
 * pack is added and removed in time that depends on its own strings; a list moves rarely, as it
 * grows. A member takes 12 bytes and at most an eighth more, a distinct string 12 to 20. Strings
 * stay in their packs.
 */
export class StringDirectory {
  private readonly seed = randomInt(2 ** 32);
  /** By slot. */
  private readonly packs: (ListedPack | undefined)[] = [];
  /** By entry of a pack, one for each of its strings: its place in the string's list. */
  private readonly entries = new EntryBlocks();
  private positions = new Uint32Array(MIN_ENTRIES);
  private readonly blocks = new EntryBlocks();
  private members = new Uint32Array(MIN_ENTRIES * MEMBER);
  /** By bucket: the hash of a string, the first member of its list, and their number. */
  private hashes = new Uint32Array(MIN_BUCKETS);
  private starts = new Int32Array(MIN_BUCKETS).fill(NONE);
  private counts = new Uint32Array(MIN_BUCKETS);
  /** Number of buckets that are not `NONE`, and of those that have a list. */
  private used = 0;
  private lists = 0;

  /** Adds the strings of a pack under an unused slot. */
  add(slot: number, strings: ListedStrings): void {
    const at = this.entries.reserve(strings.size);
    this.positions = withRoom(this.positions, this.entries.end);
    this.packs[slot] = { strings, at };
    for (let index = 0; index < strings.size; index += 1) {
      if (this.used >= this.starts.length * 0.6) this.rehash();
      this.append(this.bucketFor(strings, index), slot, index);
    }
  }

  /** Removes the strings of a pack; its slot is unused then. */
  remove(slot: number): void {
    const pack = this.packs[slot];
    if (!pack) return;
    const { strings } = pack;
    for (let index = 0; index < strings.size; index += 1)
      this.takeOut(this.bucketFor(strings, index), pack.at + index);
    this.packs[slot] = undefined;
    this.entries.release({ at: pack.at, size: strings.size });
  }

  /**
   * Calls `visit` for each pack that contains a string, in no order.
   * @returns the number of calls.
   */
  visit(text: string, visit: (slot: number, index: number) => void): number {
    const bucket = this.find(Buffer.from(text));
    if (bucket === NONE) return 0;
    const { members } = this;
    const count = this.counts[bucket] as number;
    const first = (this.starts[bucket] as number) * MEMBER;
    for (let at = first; at < first + count * MEMBER; at += MEMBER)
      visit(members[at] as number, members[at + INDEX] as number);
    return count;
  }

  private append(bucket: number, slot: number, index: number): void {
    const count = this.counts[bucket] as number;
    if (count === 0) this.starts[bucket] = this.reserve(1);
    else this.resize(bucket, count, count + 1);
    this.counts[bucket] = count + 1;
    this.place(bucket, count, slot, index);
  }

  /** Removes the member of an entry; the last one takes its position. */
  private takeOut(bucket: number, entry: number): void {
    const last = (this.counts[bucket] as number) - 1;
    const position = this.positions[entry] as number;
    if (position !== last) {
      const at = ((this.starts[bucket] as number) + last) * MEMBER;
      const [slot, index] = [this.members[at] as number, this.members[at + INDEX] as number];
      this.place(bucket, position, slot, index);
    }
    this.counts[bucket] = last;
    if (last > 0) this.resize(bucket, last + 1, last);
    else {
      this.blocks.release({ at: this.starts[bucket] as number, size: 1 });
      this.starts[bucket] = EMPTIED;
      this.lists -= 1;
    }
  }

  private place(bucket: number, position: number, slot: number, index: number): void {
    const at = ((this.starts[bucket] as number) + position) * MEMBER;
    this.members[at] = slot;
    this.members[at + INDEX] = index;
    this.positions[(this.packs[slot] as ListedPack).at + index] = position;
  }

  /** Moves a list to a block for another number of members, if that has another size. */
  private resize(bucket: number, from: number, to: number): void {
    if (roomFor(from) === roomFor(to)) return;
    const start = this.starts[bucket] as number;
    const moved = this.reserve(to);
    const end = start + Math.min(from, to);
    this.members.copyWithin(moved * MEMBER, start * MEMBER, end * MEMBER);
    this.blocks.release({ at: start, size: from });
    this.starts[bucket] = moved;
  }

  private reserve(members: number): number {
    const at = this.blocks.reserve(members);
    this.members = withRoom(this.members, this.blocks.end * MEMBER);
    return at;
  }

  /** @returns the bucket with the string's list, or -1. */
  private find(wanted: Uint8Array): number {
    const hash = hashOf(wanted, 0, wanted.length, this.seed);
    const mask = this.starts.length - 1;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      if (this.starts[bucket] === NONE) return NONE;
      if (this.isListOf(bucket, hash, wanted, 0, wanted.length)) return bucket;
    }
  }

  /** Returns the bucket with the string's list, or one for a new list. */
  private bucketFor(strings: ListedStrings, index: number): number {
    const { bytes } = strings;
    const [from, to] = [strings.startOf(index), strings.endOf(index)];
    const hash = hashOf(bytes, from, to, this.seed);
    const mask = this.starts.length - 1;
    let emptied = NONE;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const start = this.starts[bucket] as number;
      if (start === NONE) {
        const chosen = emptied === NONE ? bucket : emptied;
        if (emptied === NONE) this.used += 1;
        this.lists += 1;
        this.hashes[chosen] = hash;
        return chosen;
      }
      if (start === EMPTIED) emptied = emptied === NONE ? bucket : emptied;
      else if (this.isListOf(bucket, hash, bytes, from, to)) return bucket;
    }
  }

  /** Returns whether a bucket has the list of a string, given as a range of bytes. */
  private isListOf(
    bucket: number,
    hash: number,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    const first = this.starts[bucket] as number;
    if (first < 0 || this.hashes[bucket] !== hash) return false;
    const slot = this.members[first * MEMBER] as number;
    const index = this.members[first * MEMBER + INDEX] as number;
    const { strings } = this.packs[slot] as ListedPack;
    const start = strings.startOf(index);
    if (strings.endOf(index) - start !== to - from) return false;
    for (let i = from; i < to; i += 1)
      if (bytes[i] !== strings.bytes[start + i - from]) return false;
    return true;
  }

  /** Moves the lists to new buckets, without emptied ones. */
  private rehash(): void {
    const { hashes, starts, counts } = this;
    let buckets = MIN_BUCKETS;
    while (this.lists >= buckets * 0.4) buckets *= 2;
    this.hashes = new Uint32Array(buckets);
    this.starts = new Int32Array(buckets).fill(NONE);
    this.counts = new Uint32Array(buckets);
    this.used = this.lists;
    for (let from = 0; from < starts.length; from += 1) {
      const start = starts[from] as number;
      if (start < 0) continue;
      const hash = hashes[from] as number;
      let bucket = hash & (buckets - 1);
      while (this.starts[bucket] !== NONE) bucket = (bucket + 1) & (buckets - 1);
      this.hashes[bucket] = hash;
      this.starts[bucket] = start;
      this.counts[bucket] = counts[from] as number;
    }
  }
}
