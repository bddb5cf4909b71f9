import type { EmbeddingInput } from '../embedder.port.js';

/**
 * A neural encoder of sentences that runs in this process. Its vectors have L2 norm 1. It is too
 * slow for a sync: passages are embedded after publication, one at a time.
 */
export interface SentenceEncoder {
  /** Stable identity of model, input and version; vectors of two ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** @throws FootnoteError `engine_unavailable` if the encoder does not answer in time. */
  embedQuery(text: string): Promise<Float32Array>;
  /** @throws FootnoteError `engine_unavailable` if the encoder does not answer in time. */
  embedPassage(input: EmbeddingInput): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Injection token of the port; null without an installed encoder. */
export const SENTENCE_ENCODER = Symbol('SentenceEncoder');
