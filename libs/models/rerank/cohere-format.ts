import { fieldOf, type RerankFormat } from './rerank-format.js';

/** Cohere's limit, far above the passages of a search. */
const MAX_TEXTS = 1_000;

/** The format of Cohere and Jina, which vLLM, llama.cpp and most gateways share. */
export const COHERE_FORMAT: RerankFormat = {
  maxTexts: MAX_TEXTS,
  body: (model, query, texts) => ({ model, query, documents: texts, top_n: texts.length }),
  entries: (answer) => {
    const results = fieldOf(answer, 'results');
    return Array.isArray(results)
      ? results.map((entry: unknown) => ({
          index: fieldOf(entry, 'index'),
          score: fieldOf(entry, 'relevance_score'),
        }))
      : undefined;
  },
};
