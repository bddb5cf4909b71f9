import type { EmbeddingInput } from '../embedder.port.js';

/** A model that reads a query together with each passage. It is optional: searches work without. */
export interface Reranker {
  /** Name of the model, as receipts have it. */
  readonly model: string;
  /**
   * Returns the indexes of all passages, the most relevant first; each index occurs once. Passages
   * of equal relevance stay in their order.
   * @throws ModelError of kind `too_slow` if the answer is late, of another kind if there is none
   * or an invalid one; the signal's reason.
   */
  rank(
    query: string,
    passages: readonly EmbeddingInput[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>;
}

/** Injection token of the port; null without a configured endpoint. */
export const RERANKER = Symbol('Reranker');
