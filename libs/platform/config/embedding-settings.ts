import { ConfigError } from './config-error.js';
import type { EMBEDDING_VARIABLES } from './embedding-variables.js';

type Values = {
  readonly [Name in keyof typeof EMBEDDING_VARIABLES]: ReturnType<(typeof EMBEDDING_VARIABLES)[Name]['parse']>;
};

/** An embedding model behind an OpenAI-compatible endpoint. What is undefined is taken from what is known of the model. */
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
  /** Passages in one request, at most. */
  readonly batchSize: number;
  /** Requests for passages at once, at most. */
  readonly concurrency: number;
  readonly timeoutSeconds: number;
}

/** @returns undefined where no model is named: a local one serves. @throws ConfigError for settings of a model that is not named. */
export function embeddingSettings(values: Values): EmbeddingSettings | undefined {
  const model = values.EMBEDDING_MODEL;
  if (model === undefined) {
    const stray = (['EMBEDDING_BASE_URL', 'EMBEDDING_DIMENSIONS'] as const).find((name) => values[name] !== undefined);
    if (stray) throw new ConfigError(`${stray} is set, but it needs EMBEDDING_MODEL.`);
    return undefined;
  }
  // A key goes to the endpoint it was given for, and to no other.
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
