import type { SourceChunk } from '#contracts';

/**
 * Some chunks of one source, whole documents, each with its vector of unit length; a chunk without
 * terms has zeros.
 */
export interface PeerBatch {
  /** Number of the source from 0. */
  readonly source: number;
  readonly chunks: readonly SourceChunk[];
  readonly vectors: readonly Float32Array[];
}

export interface PeerQuery {
  readonly text: string;
  readonly vector: Float32Array;
  /** Only chunks of this source; absent for all. */
  readonly source?: number;
}

/** A result with what a caller shows. */
export interface PeerHit {
  readonly chunkId: string;
  readonly source: number;
  readonly content: string;
}

/** The fields that a word is searched in: the text of a chunk, or also its path and its names. */
export type SearchedColumns = 'text column' | 'three columns';

/** The number of results of a search. */
export const TOP = 10;

/** The depth of the search of one retriever, where the caller fuses the results. */
export const LEG_DEPTH = 50;

/** An index over chunks and vectors that were made elsewhere; one caller at a time. */
export interface PeerIndex {
  add(batch: PeerBatch): Promise<void>;
  /**
   * Makes what was added searchable and, where the peer persists, durable. Called once, after the
   * last `add`.
   */
  finish(): Promise<void>;
  /** The best {@link TOP}, best first. */
  search(query: PeerQuery): Promise<readonly PeerHit[]>;
  /** Takes a source's chunks out for good. */
  removeSource(source: number): Promise<void>;
  close(): Promise<void>;
}

/** Something to search with that a user could pick. */
export interface Peer {
  readonly name: string;
  /** Version and setting, as the report prints them. */
  readonly about: string;
  /** False when its index ends with its process. */
  readonly persists: boolean;
  /**
   * Loads its code, and gives what opens its index in a folder: a new one where the folder is
   * empty.
   */
  load(): Promise<(folder: string) => Promise<PeerIndex>>;
}

/** Names a chunk is known by, for a peer's column of its own. */
export function namesOf({ symbol, defs }: SourceChunk): string {
  return [symbol, ...defs].filter((name) => name !== undefined).join(' ');
}
