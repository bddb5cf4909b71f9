import { ConfigError } from './config-error.js';
import type { EMBEDDING_VARIABLES } from './embedding-variables.js';

type Values = {
  readonly [Name in keyof typeof EMBEDDING_VARIABLES]: ReturnType<
    (typeof EMBEDDING_VARIABLES)[Name]['parse']
  >;
};

/**
 * An embedding model behind an OpenAI-compatible endpoint. Undefined fields have the defaults of
 * known models.
 */
export interface EmbeddingSettings {
  readonly model: string;
  readonly dimensions: number | undefined;
  /** Without a trailing slash; `/embeddings` is added. */
  readonly baseUrl: string;
  /** Undefined: requests carry no authorization. */
  readonly apiKey: string | undefined;
  readonly queryPrefix: string | undefined;
  readonly passagePrefix: string | undefined;
  readonly maxInputTokens: number | undefined;
  readonly sendDimensions: boolean | undefined;
  readonly similarityRange: { readonly low: number; readonly high: number } | undefined;
  /** Maximum passages in one request. */
  readonly batchSize: number;
  /** Maximum concurrent requests for passages. */
  readonly concurrency: number;
  readonly timeoutSeconds: number;
}

/**
 * Returns the settings of the embedding model; undefined without a model, so that a local one is
 * used.
 * @throws ConfigError for settings of a model that is not set.
 */
export function embeddingSettings(values: Values): EmbeddingSettings | undefined {
  const model = values.EMBEDDING_MODEL;
  if (model === undefined) {
    const stray = (['EMBEDDING_BASE_URL', 'EMBEDDING_DIMENSIONS'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (stray) throw new ConfigError(`EMBEDDING_MODEL is required when ${stray} is set`);
    return undefined;
  }
  // A key is sent only to its own endpoint.
  const own = values.EMBEDDING_BASE_URL;
  return {
    model,
    dimensions: values.EMBEDDING_DIMENSIONS,
    baseUrl: own ?? values.OPENAI_BASE_URL,
    apiKey: values.EMBEDDING_API_KEY ?? (own === undefined ? values.OPENAI_API_KEY : undefined),
    queryPrefix: values.EMBEDDING_QUERY_PREFIX,
    passagePrefix: values.EMBEDDING_PASSAGE_PREFIX,
    maxInputTokens: values.EMBEDDING_MAX_INPUT_TOKENS,
    sendDimensions: values.EMBEDDING_SEND_DIMENSIONS,
    similarityRange: values.EMBEDDING_SIMILARITY_RANGE,
    batchSize: values.EMBEDDING_BATCH_SIZE,
    concurrency: values.EMBEDDING_CONCURRENCY,
    timeoutSeconds: values.EMBEDDING_TIMEOUT_SECONDS,
  };
}
