import { type Clock, type Config, type Logger, silenceTracing } from '#platform';

import type { ChatModel } from './chat-model.port.js';
import { createExtractiveChat } from './extractive-chat.js';

export interface ChatModelContext {
  readonly config: Pick<Config, 'chat'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the configured chat model, otherwise the built-in one. Sends no request.
 * @throws ConfigError if packages of the model's provider are not installed.
 */
export async function createChatModel({
  config: { chat },
  clock,
  logger,
}: ChatModelContext): Promise<ChatModel> {
  if (!chat) return createExtractiveChat();
  silenceTracing();
  const timeoutMs = chat.timeoutSeconds * 1_000;
  if (chat.provider) {
    const { provider, ownBaseUrl } = chat;
    const { openProviderModel } = await import('./providers/open-provider-model.js');
    const { createProviderChat } = await import('./providers/provider-chat.js');
    const opened = await openProviderModel({ ...chat, provider, baseUrl: ownBaseUrl });
    const id = `${provider}:${chat.model}`;
    return createProviderChat({ id, timeoutMs, clock, logger }, opened);
  }
  // The client is large; it is loaded only for a model of that kind.
  const { createOpenAiChat } = await import('./openai-compatible/openai-chat.js');
  const { model, baseUrl, apiKey, maxTokens } = chat;
  return createOpenAiChat({
    model,
    baseUrl,
    apiKey,
    maxTokens,
    timeoutMs,
    clock,
    logger,
  });
}
