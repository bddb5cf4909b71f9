import type { BaseChatModel } from '@langchain/core/language_models/chat_models';

import { CHAT_PROVIDERS, type ChatProvider, ConfigError } from '#platform';

export interface ProviderModelSettings {
  readonly provider: ChatProvider;
  /** Name of the model at the provider. */
  readonly model: string;
  /** Undefined: the package of the provider reads its own variable. */
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly maxTokens: number | undefined;
}

/** Loads an installed module by its name. */
export type LoadModule = (name: string) => Promise<unknown>;

interface Universal {
  readonly initChatModel: (model: string, fields: object) => Promise<BaseChatModel>;
}

/**
 * Opens a model of a provider by `initChatModel` of LangChain. Its packages are optional installs.
 * @throws ConfigError that names the packages to install, or why the model cannot be opened.
 */
export async function openProviderModel(
  settings: ProviderModelSettings,
  load: LoadModule = (name) => import(name),
): Promise<BaseChatModel> {
  const { provider, model, apiKey, baseUrl, maxTokens } = settings;
  const packages = ['langchain', CHAT_PROVIDERS[provider]];
  try {
    const { initChatModel } = (await load('langchain/chat_models/universal')) as Universal;
    return await initChatModel(model, {
      modelProvider: provider,
      maxRetries: 0,
      ...(apiKey !== undefined && { apiKey }),
      ...(baseUrl !== undefined && { baseUrl, anthropicApiUrl: baseUrl }),
      ...(maxTokens !== undefined && { maxTokens }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isMissing = /cannot find|unable to import|failed to resolve|not found/i.test(reason);
    throw new ConfigError(
      isMissing
        ? `CHAT_MODEL ${provider}:${model} needs packages that are not installed; ` +
            `run \`npm install --no-save ${packages.join(' ')}\``
        : `CHAT_MODEL ${provider}:${model} cannot be opened: ${reason}`,
    );
  }
}
