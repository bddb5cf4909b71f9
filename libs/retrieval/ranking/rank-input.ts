import type { ColumnMemory } from './column-memory.js';
import type { PathFacts } from './path-facts.js';

/** Stands for a missing line in the columns of lines. */
export const NO_LINE = 0xffff_ffff;

/**
 * Chunks to rank, numbered from 0 in the order of their ids. The ranker reads some fields of every
 * chunk and others of few, so an index can read each from where it lies.
 */
export interface RankInput {
  /** Memory of the ranking; its result is valid until the memory is cleared. */
  readonly memory: ColumnMemory;
  readonly count: number;
  /** Number of frequencies of each chunk. */
  readonly terms: number;
  /** Weighted frequencies of the query's terms, in their order, chunk by chunk. */
  readonly frequencies: ArrayLike<number>;
  readonly cosines: ArrayLike<number>;
  /** Group of each chunk. The chunks of a group have one source and one embedding model. */
  readonly groups: ArrayLike<number>;
  /** Weighted lengths in terms. */
  readonly lengths: ArrayLike<number>;
  /** Indexes into CHUNK_TYPES. */
  readonly chunkTypes: ArrayLike<number>;
  /** First lines; {@link NO_LINE} for a chunk without lines. */
  readonly startLines: ArrayLike<number>;
  readonly endLines: ArrayLike<number>;
  /** Whole numbers below 2³² that equal contents share, and different ones seldom do. */
  readonly contentNumbers: ArrayLike<number>;
  sourceId(group: number): string;
  /** Returns the model behind the cosines of a group; undefined if vectors cannot be compared. */
  cosineModel(group: number): string | undefined;
  /** Returns the number of a chunk's file. Files are numbered from 0 in the order of the calls. */
  file(at: number): number;
  facts(at: number): PathFacts;
  /** Sets a bit in the number of each chunk that defines a name, exactly. */
  markDefiners(name: string, bit: number, marks: Uint32Array): void;
  symbol(at: number): string | undefined;
  endpointKey(at: number): string | undefined;
  schemaHash(at: number): string | undefined;
  /** Returns whether two chunks with one content number have the same content. */
  isSameContent(at: number, other: number): boolean;
  chunkId(at: number): string;
  /** Compares the ids of two chunks, as their strings would sort. */
  compareIds(at: number, other: number): number;
}
