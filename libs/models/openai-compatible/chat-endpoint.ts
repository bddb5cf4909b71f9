import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { ChatOpenAICompletions } from '@langchain/openai';

import type { ChatUsage } from '../chat-usage.js';
import { boundedFetch } from '../remote/bounded-fetch.js';
import { BadAnswerError } from '../remote/endpoint-failure.js';
import type { PromptMessage } from './chat-prompt.js';

export interface ChatEndpointSettings {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Maximum tokens of an answer. Default: the endpoint's limit. */
  readonly maxTokens?: number | undefined;
}

/** A message of an endpoint: text, its number of tokens, or the end by a token limit. */
export type ChatDelta =
  { readonly text: string } | { readonly usage: ChatUsage } | { readonly truncated: true };

/** Maximum size of an answer, including everything around its text. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Leaves out the client's callbacks, which take their settings from the environment and may send
 * the texts elsewhere.
 */
class QuietChat extends ChatOpenAICompletions {
  chunks(messages: BaseMessage[], options: this['ParsedCallOptions']) {
    return this._streamResponseChunks(messages, options);
  }
}

/**
 * One streamed request to an OpenAI-compatible `/chat/completions`, without retries and limits. It
 * does not use the process's environment, rejects redirects (they would send the texts elsewhere),
 * and cuts off an endless answer.
 */
export class ChatEndpoint {
  constructor(private readonly settings: ChatEndpointSettings) {}

  /** @throws errors of the client; BadAnswerError for a stream that ends before the answer does. */
  async *stream(prompt: readonly PromptMessage[], signal: AbortSignal): AsyncGenerator<ChatDelta> {
    const client = openAiClient(this.settings, signal);
    let ended = false;
    const options = { signal } as Parameters<QuietChat['chunks']>[1];
    for await (const { text, message, generationInfo } of client.chunks(
      prompt.map(messageOf),
      options,
    )) {
      const reason: unknown = generationInfo?.['finish_reason'];
      if (reason != null) ended = true;
      if (text !== '') yield { text };
      if (reason === 'length') yield { truncated: true };
      const usage =
        'usage_metadata' in message
          ? (message.usage_metadata as UsageMetadata | undefined)
          : undefined;
      if (usage)
        yield {
          usage: { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens },
        };
    }
    signal.throwIfAborted();
    if (!ended) throw new BadAnswerError('broken off');
  }
}

/** Returns the client for one request, which the signal ends. */
export function openAiClient(
  { baseUrl, apiKey, model, maxTokens }: ChatEndpointSettings,
  signal: AbortSignal,
): QuietChat {
  return new QuietChat({
    model,
    apiKey: apiKey ?? 'none',
    maxRetries: 0,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    configuration: {
      baseURL: baseUrl,
      organization: null,
      project: null,
      logLevel: 'off',
      fetch: boundedFetch({ signal, maxBytes: MAX_BYTES, anonymous: apiKey === undefined }),
    },
  });
}

/** Returns a message of a prompt in the form of LangChain. */
export function messageOf({ role, text }: PromptMessage): BaseMessage {
  if (role === 'system') return new SystemMessage(text);
  return role === 'user' ? new HumanMessage(text) : new AIMessage(text);
}
