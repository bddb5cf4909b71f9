import { HASH_NGRAM_DIMENSIONS, HASH_NGRAM_ID, analyseQuery, embedTerms, weighTerms } from '#retrieval';

import type { Embedder, EmbeddingInput } from './embedder.port.js';

/**
 * The default model: sub-word hashing over the weighted term stream, with no weights and no network. It finds words that
 * look alike; it knows no synonyms.
 */
export function createHashEmbedder(): Embedder {
  return {
    id: HASH_NGRAM_ID,
    dimensions: HASH_NGRAM_DIMENSIONS,
    local: true,
    async embedPassages(inputs, signal) {
      return inputs.map((input) => {
        signal?.throwIfAborted();
        return embedPassage(input);
      });
    },
    async embedQuery(text) {
      const { terms, frequencies } = analyseQuery(text);
      return embedTerms(terms, frequencies);
    },
  };
}

function embedPassage(input: EmbeddingInput): Float32Array {
  const { terms, frequencies } = weighTerms(input);
  return embedTerms(terms, frequencies);
}
