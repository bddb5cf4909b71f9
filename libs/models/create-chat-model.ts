import type { Clock, Config, Logger } from '#platform';

import type { ChatModel } from './chat-model.port.js';
import { createExtractiveChat } from './extractive-chat.js';

export interface ChatModelContext {
  readonly config: Pick<Config, 'chat'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The chat model that the configuration names; the built-in one where it names none. No request is
 * made.
 */
export async function createChatModel({
  config: { chat },
  clock,
  logger,
}: ChatModelContext): Promise<ChatModel> {
  if (!chat) return createExtractiveChat();
  // The client is large; without a model of that kind it is not loaded.
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
