import type { CHAT_VARIABLES } from './chat-variables.js';
import { ConfigError } from './config-error.js';
import type { EMBEDDING_VARIABLES } from './embedding-variables.js';

type ValueOf<Variable extends { parse: (...given: never[]) => unknown }> = ReturnType<Variable['parse']>;
type Values = {
  readonly [Name in keyof typeof CHAT_VARIABLES]: ValueOf<(typeof CHAT_VARIABLES)[Name]>;
} & {
  readonly [Name in 'OPENAI_API_KEY' | 'OPENAI_BASE_URL']: ValueOf<(typeof EMBEDDING_VARIABLES)[Name]>;
};

/** A chat model behind an OpenAI-compatible endpoint. */
export interface ChatSettings {
  readonly model: string;
  /** Without a trailing slash; `/chat/completions` is added. */
  readonly baseUrl: string;
  /** Undefined: requests carry no authorization. */
  readonly apiKey: string | undefined;
  readonly timeoutSeconds: number;
  /** Tokens after which an answer is to end; undefined: the endpoint's own limit. */
  readonly maxTokens: number | undefined;
  /** Most tokens of passages and earlier turns that it is given; undefined: what was asked for. */
  readonly contextTokens: number | undefined;
}

/** @returns undefined where no model is named: the built-in one serves. @throws ConfigError for an endpoint without a model. */
export function chatSettings(values: Values): ChatSettings | undefined {
  const model = values.CHAT_MODEL;
  if (model === undefined) {
    if (values.CHAT_BASE_URL !== undefined) throw new ConfigError('CHAT_BASE_URL is set, but it needs CHAT_MODEL.');
    return undefined;
  }
  // A key goes to the endpoint it was given for, and to no other.
  const own = values.CHAT_BASE_URL;
  return {
    model,
    baseUrl: own ?? values.OPENAI_BASE_URL,
    apiKey: values.CHAT_API_KEY ?? (own === undefined ? values.OPENAI_API_KEY : undefined),
    timeoutSeconds: values.CHAT_TIMEOUT_SECONDS,
    maxTokens: values.CHAT_MAX_TOKENS,
    contextTokens: values.CHAT_CONTEXT_TOKENS,
  };
}
