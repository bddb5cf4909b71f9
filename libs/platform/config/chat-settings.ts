import { type ChatProvider, providerIn } from './chat-providers.js';
import type { CHAT_VARIABLES } from './chat-variables.js';
import { ConfigError } from './config-error.js';
import type { EMBEDDING_VARIABLES } from './embedding-variables.js';

type ValueOf<Variable extends { parse: (...given: never[]) => unknown }> = ReturnType<
  Variable['parse']
>;
type Values = {
  readonly [Name in keyof typeof CHAT_VARIABLES]: ValueOf<(typeof CHAT_VARIABLES)[Name]>;
} & {
  readonly [Name in 'OPENAI_API_KEY' | 'OPENAI_BASE_URL']: ValueOf<
    (typeof EMBEDDING_VARIABLES)[Name]
  >;
};

/** A chat model behind an OpenAI-compatible endpoint, or of a provider's package. */
export interface ChatSettings {
  /** Undefined: the model is behind an OpenAI-compatible endpoint. */
  readonly provider: ChatProvider | undefined;
  readonly model: string;
  /** The configured endpoint; undefined if it is the default. */
  readonly ownBaseUrl: string | undefined;
  /** Without a trailing slash; `/chat/completions` is added. */
  readonly baseUrl: string;
  /** Undefined: requests carry no authorization. */
  readonly apiKey: string | undefined;
  readonly timeoutSeconds: number;
  /** Maximum tokens of an answer; undefined: the limit of the endpoint. */
  readonly maxTokens: number | undefined;
  /** Maximum tokens of passages and earlier turns in a request; undefined: no limit of its own. */
  readonly contextTokens: number | undefined;
}

/**
 * Returns the settings of the chat model; undefined without a model, so that the built-in one is
 * used.
 * @throws ConfigError for an endpoint without a model.
 */
export function chatSettings(values: Values): ChatSettings | undefined {
  const model = values.CHAT_MODEL;
  if (model === undefined) {
    if (values.CHAT_BASE_URL !== undefined)
      throw new ConfigError('CHAT_MODEL is required when CHAT_BASE_URL is set');
    return undefined;
  }
  // A key is sent only to its own endpoint.
  const own = values.CHAT_BASE_URL;
  const provided = providerIn(model);
  const isOpenAi = own === undefined && !provided;
  return {
    provider: provided?.provider,
    model: provided?.model ?? model,
    ownBaseUrl: own,
    baseUrl: own ?? values.OPENAI_BASE_URL,
    apiKey: values.CHAT_API_KEY ?? (isOpenAi ? values.OPENAI_API_KEY : undefined),
    timeoutSeconds: values.CHAT_TIMEOUT_SECONDS,
    maxTokens: values.CHAT_MAX_TOKENS,
    contextTokens: values.CHAT_CONTEXT_TOKENS,
  };
}
