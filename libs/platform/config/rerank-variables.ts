import { httpUrl, integer, oneOf, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of the reranker. Without RERANK_BASE_URL, no result is reranked. */
export const RERANK_VARIABLES = {
  RERANK_BASE_URL: optional(
    httpUrl,
    'Endpoint of a reranker, to which `/rerank` is added; unset: results are not reranked. See docs/search.md.',
  ),
  RERANK_MODEL: optional(
    text,
    'Model at RERANK_BASE_URL, required with it; receipts name it, and requests in the format `cohere`.',
  ),
  RERANK_FORMAT: variable(
    oneOf('cohere', 'tei'),
    'cohere',
    'Format of the endpoint: `cohere` (also Jina, vLLM, llama.cpp), or `tei` for Text Embeddings Inference.',
  ),
  RERANK_API_KEY: optional(
    text,
    'Key for RERANK_BASE_URL; OPENAI_API_KEY is never sent there.',
    true,
  ),
  RERANK_TIMEOUT_SECONDS: variable(
    integer(1, 30),
    '2',
    'Maximum time of reranking in one search; after it the order without the reranker is returned.',
  ),
} as const;
