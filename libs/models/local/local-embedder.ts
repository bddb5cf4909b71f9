import { analyzeQuery, weighTerms, WORD_HASHING } from '#retrieval';

import type { Embedder } from '../embedder.port.js';
import { localModel, type LocalModelAddress } from './local-models.js';

/**
 * Creates a model that embeds in the process, by the terms of a text alone: no network, and a
 * vector costs one addition per term. Its file is read when its first vector is requested.
 */
export function createLocalEmbedder(address: LocalModelAddress): Embedder {
  return {
    id: address.id,
    get dimensions() {
      return localModel(address).dimensions;
    },
    local: true,
    file: address.file,
    get profile() {
      return localModel(address).profile;
    },
    async embedPassages(inputs, signal) {
      const model = localModel(address);
      return inputs.map((input) => {
        signal?.throwIfAborted();
        const { terms, frequencies } = weighTerms(input);
        return model.embed(terms, frequencies);
      });
    },
    async embedQuery(text) {
      const { terms, frequencies } = analyzeQuery(text);
      return localModel(address).embed(terms, frequencies);
    },
  };
}

/** Creates the embedder of word hashing. */
export function createHashEmbedder(): Embedder {
  return createLocalEmbedder({ id: WORD_HASHING.id });
}
