import { boolean, httpUrl, integer, prefix, range, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of the embedding model. Without EMBEDDING_MODEL none has an effect but EMBEDDING_LOCAL_MODEL. */
export const EMBEDDING_VARIABLES = {
  OPENAI_API_KEY: optional(text, 'Key for OPENAI_BASE_URL.', true),
  OPENAI_BASE_URL: variable(httpUrl, 'https://api.openai.com/v1', 'OpenAI-compatible endpoint of the models.'),
  EMBEDDING_LOCAL_MODEL: variable(
    text,
    'meaning-v1',
    'Model that embeds in the process when EMBEDDING_MODEL is unset: `meaning-v1`, `hash-ngram-v1`, or the absolute path of a model file; see docs/embeddings.md.',
  ),
  EMBEDDING_MODEL: optional(text, 'Embedding model at the endpoint; EMBEDDING_LOCAL_MODEL serves when unset.'),
  EMBEDDING_DIMENSIONS: optional(
    integer(16, 8_192),
    'Width of the vectors, a multiple of 16; needed for a model that is not a known one.',
  ),
  EMBEDDING_BASE_URL: optional(httpUrl, 'Endpoint of the embedding model, where it is not OPENAI_BASE_URL.'),
  EMBEDDING_API_KEY: optional(text, 'Key for EMBEDDING_BASE_URL, which never gets OPENAI_API_KEY.', true),
  EMBEDDING_QUERY_PREFIX: optional(prefix, "Put before each query; `none` for nothing, the model's own when unset."),
  EMBEDDING_PASSAGE_PREFIX: optional(
    prefix,
    "Put before each passage; `none` for nothing, the model's own when unset.",
  ),
  EMBEDDING_MAX_INPUT_TOKENS: optional(
    integer(64, 1_000_000),
    "Longer passages are cut, at three characters a token; the model's own when unset.",
  ),
  EMBEDDING_SEND_DIMENSIONS: optional(
    boolean,
    'Whether requests ask for EMBEDDING_DIMENSIONS; when unset, only of models known to take it.',
  ),
  EMBEDDING_SIMILARITY_RANGE: optional(
    range,
    'Cosines of unrelated and of closely related texts, such as `0.2-0.8`; see docs/embeddings.md.',
  ),
  EMBEDDING_BATCH_SIZE: variable(integer(1, 2_048), '64', 'Passages in one request, at most; it begins with 4.'),
  EMBEDDING_CONCURRENCY: variable(integer(1, 64), '4', 'Requests for passages at once, at most; it begins with one.'),
  EMBEDDING_TIMEOUT_SECONDS: variable(integer(1, 600), '30', 'Longest time of one request; a query takes 4 at most.'),
} as const;
