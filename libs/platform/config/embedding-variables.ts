import { boolean, httpUrl, integer, prefix, range, text } from './parsers.js';
import { optional, variable } from './variable.js';

/**
 * Variables of the embedding model. Without EMBEDDING_MODEL, only EMBEDDING_LOCAL_MODEL has an
 * effect.
 */
export const EMBEDDING_VARIABLES = {
  OPENAI_API_KEY: optional(text, 'Key for OPENAI_BASE_URL.', true),
  OPENAI_BASE_URL: variable(
    httpUrl,
    'https://api.openai.com/v1',
    'OpenAI-compatible endpoint of the models.',
  ),
  EMBEDDING_LOCAL_MODEL: variable(
    text,
    'meaning-v1',
    'Model that embeds in the process if EMBEDDING_MODEL is unset: `meaning-v1`, `hash-ngram-v1`, or the absolute path of a model file; see docs/embeddings.md.',
  ),
  EMBEDDING_MODEL: optional(
    text,
    'Embedding model at the endpoint; EMBEDDING_LOCAL_MODEL is used if unset.',
  ),
  EMBEDDING_DIMENSIONS: optional(
    integer(16, 8_192),
    'Dimensions of the vectors, a multiple of 16; required for unknown models.',
  ),
  EMBEDDING_BASE_URL: optional(
    httpUrl,
    'Endpoint of the embedding model; OPENAI_BASE_URL if unset.',
  ),
  EMBEDDING_API_KEY: optional(
    text,
    'Key for EMBEDDING_BASE_URL; OPENAI_API_KEY is never sent there.',
    true,
  ),
  EMBEDDING_QUERY_PREFIX: optional(
    prefix,
    'Prefix of each query; `none` for no prefix, the default of the model if unset.',
  ),
  EMBEDDING_PASSAGE_PREFIX: optional(
    prefix,
    'Prefix of each passage; `none` for no prefix, the default of the model if unset.',
  ),
  EMBEDDING_MAX_INPUT_TOKENS: optional(
    integer(64, 1_000_000),
    'Longer passages are truncated, at three characters per token; the limit of the model if unset.',
  ),
  EMBEDDING_SEND_DIMENSIONS: optional(
    boolean,
    'Whether requests include EMBEDDING_DIMENSIONS; if unset, only for models known to support it.',
  ),
  EMBEDDING_SIMILARITY_RANGE: optional(
    range,
    'Cosines of unrelated and of closely related texts, such as `0.2-0.8`; see docs/embeddings.md.',
  ),
  EMBEDDING_BATCH_SIZE: variable(
    integer(1, 2_048),
    '64',
    'Maximum passages per request; the first request has 4.',
  ),
  EMBEDDING_CONCURRENCY: variable(
    integer(1, 64),
    '4',
    'Maximum concurrent requests for passages; it starts with one.',
  ),
  EMBEDDING_TIMEOUT_SECONDS: variable(
    integer(1, 600),
    '30',
    'Maximum time of one request; at most 4 s for a query.',
  ),
} as const;
