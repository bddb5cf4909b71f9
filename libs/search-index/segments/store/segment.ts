import { closeSync, fstatSync, openSync } from 'node:fs';

import {
  type PackMeta,
  TEXT_SECTION,
  TRIGRAM_SECTION,
  VECTOR_SECTION,
} from '../../pack/pack-layout.js';
import { readFully } from '../../pack/read-fully.js';
import {
  BadSectionsError,
  checkingSection,
  checkSection,
  decodeHeader,
  headerLength,
  PREAMBLE_BYTES,
  type SectionsHeader,
} from '../../pack/sections.js';
import { type StoredPack, storedPack } from '../../pack/stored-pack.js';
import { TrigramIndex } from '../../pack/trigrams/trigram-index.js';
import {
  type ResidentSections,
  type SearchedSegment,
  type SharedSegment,
  tablesOf,
} from '../scan/searched-view.js';
import {
  isSigned,
  signedBytes,
  type SignedVectors,
  signedVectors,
  signingBytes,
  signRows,
} from '../scan/signed-vectors.js';
import { arenaBytes, BLOCK_VECTORS, blockBytes, toBlock } from '../scan/vector-blocks.js';
import type { SegmentTexts } from './segment-texts.js';
import type { VectorArena } from './vector-arena.js';

const READ_LATER: readonly string[] = [VECTOR_SECTION, TRIGRAM_SECTION, TEXT_SECTION];

/** A pack in service: its tables in memory, its vectors in the arena, its text on disk. */
export interface Segment extends SearchedSegment {
  readonly hash: string;
  /**
   * The form from which another thread creates the same segment; the bytes are shared, not copied.
   */
  readonly shared: SharedSegment;
  /**
   * Returns the text of a chunk, read from disk.
   * @throws BadSectionsError if its block is damaged.
   */
  text(chunk: number): string;
  /** The form from which other threads read texts, with the file that they are read from now. */
  readonly stored: StoredPack;
  /** Finds documents by their texts; undefined in a pack of a version without trigrams. */
  readonly trigrams: TrigramIndex | undefined;
  /** Reads from another file with the same bytes from now on: rewritten, or elsewhere. */
  reopen(file: string): void;
  /** Releases memory, arena and file handle; the segment is not used afterwards. */
  close(): void;
}

/**
 * Opens a segment file. Everything except texts and trigrams is read and checked; their blocks are
 * checked when they are read.
 * @throws BadSectionsError if the file is damaged or of another format.
 */
export function openSegment(
  path: string,
  hash: string,
  arena: VectorArena,
  texts: SegmentTexts,
): Segment {
  let fd = openSync(path, 'r');
  try {
    const header = readHeader(fd);
    const resident = residentSections(fd, header);
    const tables = tablesOf(header.meta, resident);
    const [textOffset] = sectionIn(header, TEXT_SECTION);
    const vectors = placeVectors(fd, header, tables.scales, arena);
    const textOf = texts.readerOf(
      tables.textTable,
      (target, offset) => void readFully(fd, target, textOffset + offset),
    );
    const { trigramTable } = tables;
    const trigramsAt = trigramTable ? sectionIn(header, TRIGRAM_SECTION)[0] : 0;
    const readTrigrams = (target: Uint8Array, offset: number): void =>
      void readFully(fd, target, trigramsAt + offset);
    const trigrams =
      trigramTable && new TrigramIndex(trigramTable, readTrigrams, tables.countDocuments());
    const { dimensions } = header.meta.embedder;
    const storedIn = (file: string): StoredPack =>
      storedPack({ file, textAt: textOffset, tables: resident.bytes }, resident.bounds);
    let stored = storedIn(path);
    return {
      hash,
      tables,
      vectorsAt: vectors.at,
      dimensions,
      shared: { meta: header.meta, resident, vectorsAt: vectors.at },
      text: (chunk) => textOf(tables.textSpan(chunk)),
      get stored() {
        return stored;
      },
      trigrams: trigrams ?? undefined,
      reopen(whole) {
        const next = openSync(whole, 'r');
        closeSync(fd);
        [fd, stored] = [next, storedIn(whole)];
      },
      close() {
        arena.release(vectors.at, vectors.bytes);
        closeSync(fd);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The memory of a segment's vectors. */
interface PlacedVectors {
  readonly at: number;
  readonly bytes: number;
}

/** Reads and checks the vectors, and writes them into the arena in the layout of their model. */
function placeVectors(
  fd: number,
  header: SectionsHeader<PackMeta>,
  scales: Float32Array,
  arena: VectorArena,
): PlacedVectors {
  const { chunks, embedder } = header.meta;
  const { dimensions } = embedder;
  if (isSigned(embedder))
    return placed(arena, signedBytes(chunks, dimensions), (target, at) => {
      eachPart(fd, header, (rows, first) => target.set(rows, first * dimensions));
      sign(arena, signedVectors(at, chunks, dimensions));
    });
  return placed(arena, arenaBytes(chunks, dimensions), (target) => {
    eachPart(fd, header, (rows, first) => {
      const block = new Uint8Array(blockBytes(rows.length / dimensions, dimensions));
      block.set(rows);
      target.set(toBlock(block, dimensions), first * dimensions);
    });
    const scalesAt = blockBytes(chunks, dimensions);
    // Reused memory is not empty: the unused part of the last group is set to zero.
    target.fill(0, scalesAt);
    target.set(new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength), scalesAt);
  });
}

/** Reserves memory and fills it; releases it if that fails. */
function placed(
  arena: VectorArena,
  bytes: number,
  fill: (target: Uint8Array, at: number) => void,
): PlacedVectors {
  const at = arena.reserve(bytes);
  try {
    fill(arena.bytes(at, bytes), at);
    return { at, bytes };
  } catch (error) {
    arena.release(at, bytes);
    throw error;
  }
}

function sign(arena: VectorArena, vectors: SignedVectors): void {
  const bytes = signingBytes(vectors.dimensions);
  const space = arena.reserve(bytes);
  try {
    signRows(arena.memory, vectors, space);
  } finally {
    arena.release(space, bytes);
  }
}

/**
 * Reads the vectors of a block at a time, and checks them at the end.
 * @param take receives rows, and the number of the first vector.
 * @throws BadSectionsError if the vectors are damaged, or not those of the chunks.
 */
function eachPart(
  fd: number,
  header: SectionsHeader<PackMeta>,
  take: (rows: Uint8Array, first: number) => void,
): void {
  const [offset, length, crc] = sectionIn(header, VECTOR_SECTION);
  const { chunks, embedder } = header.meta;
  const { dimensions } = embedder;
  if (length !== chunks * dimensions)
    throw new BadSectionsError(`section ${VECTOR_SECTION} is of another size`);
  const check = checkingSection(VECTOR_SECTION, crc);
  for (let first = 0; first < chunks; first += BLOCK_VECTORS) {
    const rows = new Uint8Array(Math.min(BLOCK_VECTORS, chunks - first) * dimensions);
    check.add(readFully(fd, rows, offset + first * dimensions));
    take(rows, first);
  }
  check.end();
}

function readHeader(fd: number): SectionsHeader<PackMeta> {
  const preamble = new Uint8Array(PREAMBLE_BYTES);
  readFully(fd, preamble, 0);
  const size = PREAMBLE_BYTES + headerLength(preamble);
  if (size > fstatSync(fd).size) throw new BadSectionsError('the file is cut off');
  const bytes = new Uint8Array(size);
  readFully(fd, bytes, 0);
  return decodeHeader<PackMeta>(bytes);
}

/**
 * Reads the sections before vectors, trigrams and text at once, into memory that threads share, and
 * checks them.
 */
function residentSections(fd: number, header: SectionsHeader<PackMeta>): ResidentSections {
  const kept = Object.entries(header.sections).filter(([name]) => !READ_LATER.includes(name));
  const start = Math.min(...kept.map(([, [offset]]) => offset));
  const end = Math.max(...kept.map(([, [offset, length]]) => offset + length));
  if (end > fstatSync(fd).size) throw new BadSectionsError('the file is cut off');
  const bytes = new Uint8Array(new SharedArrayBuffer(end - start));
  readFully(fd, bytes, start);
  const bounds = kept.map(([name, [offset, length, crc]]) => {
    const from = offset - start;
    checkSection(name, bytes.subarray(from, from + length), crc);
    return [name, [from, from + length]] as const;
  });
  return { bytes, bounds: Object.fromEntries(bounds) };
}

function sectionIn(
  header: SectionsHeader<PackMeta>,
  name: string,
): readonly [number, number, number] {
  const section = header.sections[name];
  if (!section) throw new BadSectionsError(`section ${name} is missing`);
  return section;
}
