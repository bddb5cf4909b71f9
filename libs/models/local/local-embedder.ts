import { analyseQuery, weighTerms, WORD_HASHING } from '#retrieval';

import type { Embedder } from '../embedder.port.js';
import { localModel, type LocalModelAddress } from './local-models.js';

/**
 * A model that embeds here, by the terms of a text alone: no network, and a vector costs an
 * addition a term. Its file is read when its first vector is asked for.
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
      const { terms, frequencies } = analyseQuery(text);
      return localModel(address).embed(terms, frequencies);
    },
  };
}

/** Word hashing. */
export function createHashEmbedder(): Embedder {
  return createLocalEmbedder({ id: WORD_HASHING.id });
}
