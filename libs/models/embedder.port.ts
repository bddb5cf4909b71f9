import type { ModelProfile, SimilarityRange } from '#retrieval';

/**
 * The input of an embedder for a chunk. The local model reads the weighted term stream; a remote
 * one reads header and text.
 */
export interface EmbeddingInput {
  readonly path: string;
  readonly symbol?: string;
  readonly defs: readonly string[];
  readonly content: string;
}

/** The vector of one of several inputs, with its index. */
export interface PlacedVector {
  readonly index: number;
  readonly vector: Float32Array;
}

/** An embedding model. Vectors have L2 norm 1, or are all zero for a text without a term. */
export interface Embedder {
  /** Stable identity; stored with every generation; vectors of two ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * True if the vectors are computed in this process, as a pure function, in the worker threads.
   */
  readonly local: boolean;
  /** The file of a local model; undefined for a built-in one. */
  readonly file?: string | undefined;
  /**
   * Use of its cosines by the ranker, if the model defines it; otherwise see the ranking's model
   * profiles.
   */
  readonly profile?: ModelProfile | undefined;
  /**
   * Cosines of unrelated and of closely related texts, if known; see the ranking's model profiles.
   */
  readonly similarityRange?: SimilarityRange | undefined;
  /**
   * Returns one vector per input, in order.
   * @param answered receives earlier results, each input once, from an embedder that requests them
   * in pieces; if it rejects, so does the call.
   */
  embedPassages(
    inputs: readonly EmbeddingInput[],
    signal?: AbortSignal,
    answered?: (vectors: readonly PlacedVector[]) => Promise<void>,
  ): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
}

/** Injection token of the port. */
export const EMBEDDER = Symbol('Embedder');
