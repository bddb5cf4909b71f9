import { crc32 } from 'node:zlib';

import { foldText } from '#contracts/content/required-text';

import type { PackedChunk } from '../invert-chunks.js';
import { encodePostings, pushVarint } from './posting-list.js';
import { eachTrigram, TRIGRAM_KEYS } from './trigram-keys.js';

/** A block of postings ends once it has this many bytes. */
const BLOCK_BYTES = 8 * 1024;

/** The documents of each trigram of a pack, in blocks. */
export interface PackedTrigrams {
  /** First key, offset, length and CRC32 of each block. */
  readonly table: Uint32Array;
  readonly data: Uint8Array;
}

/** The part of a chunk that trigrams are made of. */
interface ChunkText {
  readonly part: Pick<PackedChunk['part'], 'textOf'>;
  readonly index: number;
  readonly chunk: Pick<PackedChunk['chunk'], 'path'>;
}

/**
 * Returns the trigrams of the documents of a pack. Documents are numbered in the order of the pack.
 * A long line may continue in the next chunk, so trigrams over the ends of chunks count too.
 */
export function packTrigrams(packed: readonly ChunkText[]): PackedTrigrams {
  const { trigrams, uses, ends } = trigramsOfDocuments(packed);
  const postings = new Uint32Array(uses.length);
  const next = new Uint32Array(trigrams.length);
  const inOrder = trigrams.map((trigram, number) => ({ ...trigram, number }));
  inOrder.sort((a, b) => a.key - b.key);
  let first = 0;
  for (const { number, count } of inOrder) {
    next[number] = first;
    first += count;
  }
  for (let document = 0, at = 0; document < ends.length; document++)
    for (const end = ends[document] as number; at < end; at++) {
      const number = uses[at] as number;
      const slot = next[number] as number;
      postings[slot] = document;
      next[number] = slot + 1;
    }
  const entries = inOrder.map(({ key, count, number }) => {
    const end = next[number] as number;
    return { key, documents: postings.subarray(end - count, end) };
  });
  return encodeBlocks(entries, ends.length);
}

/** A trigram of a pack. */
interface Trigram {
  readonly key: number;
  /** Documents that have it. */
  count: number;
  /** Number of the last of them, from 1. */
  last: number;
}

/**
 * Number of each trigram of the pack at work, from 1, by its key. Reserved once, because most packs
 * have few trigrams; empty between packs.
 */
let numbers: Uint32Array | undefined;

/** Returns the numbers of the distinct trigrams of each document, one document after the other. */
function trigramsOfDocuments(packed: readonly ChunkText[]) {
  const known = (numbers ??= new Uint32Array(TRIGRAM_KEYS));
  const trigrams: Trigram[] = [];
  let uses = new Uint32Array(1024);
  let used = 0;
  const ends: number[] = [];
  try {
    for (let at = 0; at < packed.length;) {
      const { path } = (packed[at] as ChunkText).chunk;
      const texts: Uint8Array[] = [];
      for (; packed[at]?.chunk.path === path; at++) {
        const { part, index } = packed[at] as ChunkText;
        texts.push(part.textOf(index));
      }
      const document = ends.length + 1;
      eachTrigram(foldText(Buffer.concat(texts).toString()), (key) => {
        const number = known[key] || (known[key] = trigrams.push({ key, count: 0, last: 0 }));
        const trigram = trigrams[number - 1] as Trigram;
        if (trigram.last === document) return;
        trigram.last = document;
        trigram.count += 1;
        if (used === uses.length) uses = doubled(uses);
        uses[used] = number - 1;
        used += 1;
      });
      ends.push(used);
    }
  } finally {
    for (const { key } of trigrams) known[key] = 0;
  }
  return { trigrams, uses: uses.subarray(0, used), ends };
}

function doubled(full: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * full.length);
  larger.set(full);
  return larger;
}

/** A key and its documents, ascending. */
interface Entry {
  readonly key: number;
  readonly documents: Uint32Array;
}

/** Each entry of a block has the distance of its key, the length and form of its postings, them. */
function encodeBlocks(entries: readonly Entry[], documentCount: number): PackedTrigrams {
  const table: number[] = [];
  const blocks: Uint8Array[] = [];
  let written = 0;
  let pieces: Uint8Array[] = [];
  let pending = 0;
  let firstKey = 0;
  let lastKey = 0;
  const flush = (): void => {
    if (pending === 0) return;
    const block = Buffer.concat(pieces);
    table.push(firstKey, written, block.length, crc32(block));
    blocks.push(block);
    written += block.length;
    pieces = [];
    pending = 0;
  };
  for (const { key, documents } of entries) {
    if (pending === 0) firstKey = lastKey = key;
    const { isBitmap, bytes } = encodePostings(documents, documentCount);
    const head: number[] = [];
    pushVarint(head, key - lastKey);
    pushVarint(head, bytes.length * 2 + (isBitmap ? 1 : 0));
    pieces.push(Uint8Array.from(head), bytes);
    pending += head.length + bytes.length;
    lastKey = key;
    if (pending >= BLOCK_BYTES) flush();
  }
  flush();
  return { table: Uint32Array.from(table), data: Buffer.concat(blocks) };
}
