import type { ModelProfile, SimilarityRange } from '#retrieval';

/**
 * What an embedder sees of a chunk. The local model reads the weighted term stream; a remote one
 * reads header and text.
 */
export interface EmbeddingInput {
  readonly path: string;
  readonly symbol?: string;
  readonly defs: readonly string[];
  readonly content: string;
}

/** The vector of one of several inputs, and which. */
export interface PlacedVector {
  readonly index: number;
  readonly vector: Float32Array;
}

/** An embedding model. Vectors have L2 norm 1, or are all zero for a text without a single term. */
export interface Embedder {
  /** Stable identity; stored with every generation, never mixed within a comparison. */
  readonly id: string;
  readonly dimensions: number;
  /** True when the vectors are computed here, as a pure function, in the worker threads. */
  readonly local: boolean;
  /** The file that a local model is read from, where it is not a built-in one. */
  readonly file?: string | undefined;
  /**
   * How the ranker uses its cosines, where the model says; else see the ranking's model profiles.
   */
  readonly profile?: ModelProfile | undefined;
  /**
   * Cosines of unrelated and of closely related texts, where they are known; see the ranking's
   * model profiles.
   */
  readonly similarityRange?: SimilarityRange | undefined;
  /**
   * One vector an input, in their order.
   * @param answered is told what comes before all is done, each input once, by an embedder that
   * asks for them in pieces; when it rejects, so does the call.
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
