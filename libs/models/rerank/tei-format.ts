import { fieldOf, type RerankFormat } from './rerank-format.js';

/** The server's own default limit; larger requests are rejected. */
const MAX_TEXTS = 32;

/**
 * The format of Text Embeddings Inference. The server has one model, and cuts texts that are too
 * long for it.
 */
export const TEI_FORMAT: RerankFormat = {
  maxTexts: MAX_TEXTS,
  body: (_model, query, texts) => ({ query, texts, truncate: true }),
  entries: (answer) =>
    Array.isArray(answer)
      ? answer.map((entry: unknown) => ({
          index: fieldOf(entry, 'index'),
          score: fieldOf(entry, 'score'),
        }))
      : undefined,
};
