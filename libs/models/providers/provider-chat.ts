import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';

import type { ChatModel } from '../chat-model.port.js';
import { type ChatDelta, messageOf } from '../openai-compatible/chat-endpoint.js';
import type { PromptMessage } from '../openai-compatible/chat-prompt.js';
import { createStreamedChat, type StreamedChatOptions } from '../openai-compatible/openai-chat.js';

/** Characters of an answer; a longer one is cut off. */
const MOST_CHARACTERS = 4_000_000;
const CUT = new Set<unknown>(['length', 'max_tokens', 'MAX_TOKENS']);

/** Creates a chat model of a provider's package. */
export function createProviderChat(
  options: StreamedChatOptions & { readonly id: string },
  model: BaseChatModel,
): ChatModel {
  return createStreamedChat(options, {
    id: options.id,
    stream: (prompt, signal) => deltas(model, prompt, signal),
    open: () => model,
  });
}

async function* deltas(
  model: BaseChatModel,
  prompt: readonly PromptMessage[],
  signal: AbortSignal,
): AsyncGenerator<ChatDelta> {
  let promptTokens = 0;
  let completionTokens = 0;
  let characters = 0;
  const chunks = await model.stream(prompt.map(messageOf), { signal });
  for await (const chunk of chunks as AsyncIterable<AIMessageChunk>) {
    signal.throwIfAborted();
    const { text, response_metadata: about } = chunk;
    const usage = chunk.usage_metadata as UsageMetadata | undefined;
    characters += text.length;
    if (text !== '') yield { text };
    promptTokens += usage?.input_tokens ?? 0;
    completionTokens += usage?.output_tokens ?? 0;
    const reason: unknown = about['stop_reason'] ?? about['finish_reason'] ?? about['finishReason'];
    if (CUT.has(reason) || characters > MOST_CHARACTERS) yield { truncated: true };
    if (characters > MOST_CHARACTERS) break;
  }
  signal.throwIfAborted();
  if (promptTokens + completionTokens > 0) yield { usage: { promptTokens, completionTokens } };
}
