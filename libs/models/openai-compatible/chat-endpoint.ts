import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { ChatOpenAICompletions } from '@langchain/openai';

import type { ChatUsage } from '../chat-model.port.js';
import { boundedFetch } from '../remote/bounded-fetch.js';
import { BadAnswerError } from '../remote/endpoint-failure.js';
import type { PromptMessage } from './chat-prompt.js';

export interface ChatEndpointSettings {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Tokens after which an answer is to end. Default: what the endpoint takes. */
  readonly maxTokens?: number | undefined;
}

/**
 * What an endpoint sends: words, how many tokens they were, or that a limit of tokens ended them.
 */
export type ChatDelta =
  { readonly text: string } | { readonly usage: ChatUsage } | { readonly truncated: true };

/** Longest answer that is read, everything around its words included. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Leaves out the client's callbacks: they take their settings from the environment, and may send
 * the texts elsewhere.
 */
class QuietChat extends ChatOpenAICompletions {
  chunks(messages: BaseMessage[], options: this['ParsedCallOptions']) {
    return this._streamResponseChunks(messages, options);
  }
}

/**
 * One request to an OpenAI-compatible `/chat/completions`, once, streamed: retries and limits are
 * the caller's. Nothing of the process's environment is used, redirects are refused (they would
 * carry the texts elsewhere), and an answer without end is cut off.
 */
export class ChatEndpoint {
  constructor(private readonly settings: ChatEndpointSettings) {}

  /**
   * @throws what the client throws; BadAnswerError for a stream that ends before the model has
   * ended its answer.
   */
  async *stream(prompt: readonly PromptMessage[], signal: AbortSignal): AsyncGenerator<ChatDelta> {
    const client = this.client(signal);
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

  private client(signal: AbortSignal): QuietChat {
    const { baseUrl, apiKey, model, maxTokens } = this.settings;
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
        fetch: boundedFetch({ signal, maxBytes: MOST_BYTES, anonymous: apiKey === undefined }),
      },
    });
  }
}

function messageOf({ role, text }: PromptMessage): BaseMessage {
  if (role === 'system') return new SystemMessage(text);
  return role === 'user' ? new HumanMessage(text) : new AIMessage(text);
}
