import type { BaseChatModel } from '@langchain/core/language_models/chat_models';

import type { Clock, Logger } from '#platform';

import type { ChatModel, ChatPart, ChatRequest } from '../chat-model.port.js';
import type { ChatUsage } from '../chat-usage.js';
import { RemoteEndpoint } from '../remote/remote-endpoint.js';
import { StructuredChat } from '../structured/structured-chat.js';
import {
  type ChatDelta,
  ChatEndpoint,
  type ChatEndpointSettings,
  openAiClient,
} from './chat-endpoint.js';
import { chatFailure } from './chat-failure.js';
import { chatPrompt, type PromptMessage } from './chat-prompt.js';

/** Limits of a streamed chat model. */
export interface StreamedChatOptions {
  /** Maximum time of an answer, including retries. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** First pause before a repeated request. Default 500 ms. */
  readonly backoffMs?: number;
}

export type OpenAiChatOptions = StreamedChatOptions & ChatEndpointSettings;

/** A client of a chat model. */
export interface ChatSource {
  readonly id: string;
  /** One request. */
  stream(prompt: readonly PromptMessage[], signal: AbortSignal): AsyncGenerator<ChatDelta>;
  /** Opens the model for one request, which the signal ends. */
  open(signal: AbortSignal): BaseChatModel;
}

/** Number of requests until an answer begins, because a person waits for it. */
const MAX_ATTEMPTS = 3;

/**
 * Creates a chat model behind an OpenAI-compatible endpoint. Each answer is one streamed request
 * that is repeated until it begins.
 */
export function createOpenAiChat(options: OpenAiChatOptions): ChatModel {
  const source = new ChatEndpoint(options);
  return createStreamedChat(options, {
    id: options.model,
    stream: (prompt, signal) => source.stream(prompt, signal),
    open: (signal) => openAiClient(options, signal),
  });
}

/** Creates a chat model over any client; requests are repeated until an answer begins. */
export function createStreamedChat(options: StreamedChatOptions, source: ChatSource): ChatModel {
  const endpoint = new RemoteEndpoint({ name: 'chat endpoint', ...options });
  return {
    id: source.id,
    structured: new StructuredChat({ endpoint, open: (signal) => source.open(signal) }),
    answer: (request, signal) => streamed(endpoint, source, request, options.timeoutMs, signal),
  };
}

async function* streamed(
  endpoint: RemoteEndpoint,
  source: ChatSource,
  request: ChatRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatPart> {
  signal?.throwIfAborted();
  const left = new AbortController();
  const time = AbortSignal.timeout(timeoutMs);
  const all = AbortSignal.any([left.signal, time, ...(signal ? [signal] : [])]);
  const prompt = chatPrompt(request);
  let usage: ChatUsage | null = null;
  let truncated = false;
  let words = false;
  try {
    const begin = () => endpoint.request(() => begun(source.stream(prompt, all)), all);
    for await (const delta of await endpoint.promptly(begin, all, MAX_ATTEMPTS)) {
      if ('usage' in delta) usage = delta.usage;
      else if ('truncated' in delta) truncated = true;
      else {
        words = true;
        yield { type: 'text', text: delta.text };
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw chatFailure(endpoint.asError(error), {
      begun: words,
      overdueMs: time.aborted ? timeoutMs : undefined,
    });
  } finally {
    left.abort();
  }
  yield { type: 'end', usage, truncated };
}

/**
 * Returns the same stream once its first delta has arrived.
 * @throws errors of the stream until then.
 */
async function begun(stream: AsyncGenerator<ChatDelta>): Promise<AsyncGenerator<ChatDelta>> {
  const first = await stream.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* stream;
  })();
}
