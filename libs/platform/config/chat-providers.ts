/** Packages of LangChain by the providers that open models from them. */
export const CHAT_PROVIDERS = {
  anthropic: '@langchain/anthropic',
  azure_openai: '@langchain/openai',
  bedrock: '@langchain/aws',
  cerebras: '@langchain/cerebras',
  cohere: '@langchain/cohere',
  deepseek: '@langchain/deepseek',
  fireworks: '@langchain/fireworks',
  google: '@langchain/google',
  'google-genai': '@langchain/google-genai',
  'google-vertexai': '@langchain/google-vertexai',
  groq: '@langchain/groq',
  mistralai: '@langchain/mistralai',
  ollama: '@langchain/ollama',
  perplexity: '@langchain/perplexity',
  together: '@langchain/together-ai',
  xai: '@langchain/xai',
} as const;

export type ChatProvider = keyof typeof CHAT_PROVIDERS;

/** Returns provider and model of `provider:model`; null for other names, such as `llama3:8b`. */
export function providerIn(name: string): { provider: ChatProvider; model: string } | null {
  const at = name.indexOf(':');
  const provider = name.slice(0, Math.max(0, at));
  const model = name.slice(at + 1);
  return isProvider(provider) && model !== '' ? { provider, model } : null;
}

function isProvider(name: string): name is ChatProvider {
  return Object.hasOwn(CHAT_PROVIDERS, name);
}
