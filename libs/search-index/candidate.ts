import type { ChunkDefinition, ChunkType } from '#contracts';

/** A chunk that some retriever found, with everything the ranker needs. */
export interface Candidate {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly generation: number;
  /** Path of the document. */
  readonly path: string;
  /** Location in the document, as the end of a URL; see `Chunk`. */
  readonly fragment: string | undefined;
  readonly symbol: string | undefined;
  readonly defs: readonly string[];
  /**
   * Reports whether a name is one of `defs`, which an engine may know without having all of them.
   */
  defines(name: string): boolean;
  /**
   * Lines of `defs`, in file order; empty if the version that indexed the content did not record
   * them.
   */
  readonly definitions: readonly ChunkDefinition[];
  readonly language: string;
  readonly chunkType: ChunkType;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  readonly tokenCount: number;
  readonly contentHash: string;
  /**
   * A number that equal content hashes share and different ones seldom do; only where it is cheaper
   * to read than the hash.
   */
  readonly contentNumber?: number | undefined;
  /**
   * Compares chunk ids with a candidate of the same index, as their strings would sort; only where
   * that is cheaper than reading the ids.
   */
  compareId?(other: Candidate): number;
  readonly endpointKey: string | undefined;
  readonly schemaHash: string | undefined;
  /** Weighted frequency of each of the query's terms, in their order. */
  readonly termFrequencies: ArrayLike<number>;
  /** Weighted length of the chunk in terms. */
  readonly length: number;
  /** Cosine with the query vector, or 0 if there is none. */
  readonly cosine: number;
  /**
   * The model of `cosine`; undefined if no query vector could be compared, so that only the terms
   * count.
   */
  readonly cosineModel: string | undefined;
}
