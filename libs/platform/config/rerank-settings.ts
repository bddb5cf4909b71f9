import { ConfigError } from './config-error.js';
import type { RERANK_VARIABLES } from './rerank-variables.js';

type Values = {
  readonly [Name in keyof typeof RERANK_VARIABLES]: ReturnType<
    (typeof RERANK_VARIABLES)[Name]['parse']
  >;
};

/** A reranker behind an HTTP endpoint. */
export interface RerankSettings {
  /** Without a trailing slash; `/rerank` is added. */
  readonly baseUrl: string;
  readonly model: string;
  readonly format: Values['RERANK_FORMAT'];
  /** Undefined: requests carry no authorization. */
  readonly apiKey: string | undefined;
  readonly timeoutSeconds: number;
}

/**
 * Returns the settings of the reranker; undefined without an endpoint.
 * @throws ConfigError for an endpoint without a model, or a model without an endpoint.
 */
export function rerankSettings(values: Values): RerankSettings | undefined {
  const { RERANK_BASE_URL: baseUrl, RERANK_MODEL: model } = values;
  if (baseUrl === undefined) {
    if (model !== undefined)
      throw new ConfigError('RERANK_BASE_URL is required when RERANK_MODEL is set');
    return undefined;
  }
  if (model === undefined)
    throw new ConfigError('RERANK_MODEL is required when RERANK_BASE_URL is set');
  return {
    baseUrl,
    model,
    format: values.RERANK_FORMAT,
    apiKey: values.RERANK_API_KEY,
    timeoutSeconds: values.RERANK_TIMEOUT_SECONDS,
  };
}
