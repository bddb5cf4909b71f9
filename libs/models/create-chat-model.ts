import { type Clock, type Config, type Logger, silenceTracing } from '#platform';

import type { ChatModel } from './chat-model.port.js';
import { createExtractiveChat } from './extractive-chat.js';

export interface ChatModelContext {
  readonly config: Pick<Config, 'chat'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the configured chat model, otherwise the built-in one. Sends no request. */
export async function createChatModel({
  config: { chat },
  clock,
  logger,
}: ChatModelContext): Promise<ChatModel> {
  if (!chat) return createExtractiveChat();
  silenceTracing();
  // The client is large; it is loaded only for a model of that kind.
  const { createOpenAiChat } = await import('./openai-compatible/openai-chat.js');
  const { model, baseUrl, apiKey, maxTokens, timeoutSeconds } = chat;
  return createOpenAiChat({
    model,
    baseUrl,
    apiKey,
    maxTokens,
    timeoutMs: timeoutSeconds * 1_000,
    clock,
    logger,
  });
}
