import { describe, expect, it } from '@jest/globals';
import { FakeListChatModel } from '@langchain/core/utils/testing';

import { createChatModel } from '#models';
import { ConfigError, loadConfig, silentLogger, systemClock } from '#platform';

import { openProviderModel } from './open-provider-model.js';
import { createProviderChat } from './provider-chat.js';

const chatOf = (environment: Record<string, string>) =>
  loadConfig({ DATA_DIR: '/', ...environment }, '/').chat;
const SETTINGS = {
  provider: 'anthropic',
  model: 'claude-x',
  apiKey: 'sk-ant',
  baseUrl: undefined,
  maxTokens: 100,
} as const;

describe('CHAT_MODEL as provider:model', () => {
  it('names the provider, and leaves other names with a colon to the endpoint', () => {
    expect(chatOf({ CHAT_MODEL: 'anthropic:claude-x' })).toMatchObject({
      provider: 'anthropic',
      model: 'claude-x',
    });
    for (const CHAT_MODEL of ['llama3:8b', 'qwen2.5-coder:7b', 'gpt-x', 'anthropic:', 'toString:x'])
      expect(chatOf({ CHAT_MODEL })).toMatchObject({ provider: undefined, model: CHAT_MODEL });
  });

  it('never sends the key of OpenAI to another provider', () => {
    const given = { OPENAI_API_KEY: 'sk-openai', CHAT_MODEL: 'anthropic:claude-x' };
    expect(chatOf(given)?.apiKey).toBeUndefined();
    expect(chatOf({ ...given, CHAT_API_KEY: 'sk-ant' })?.apiKey).toBe('sk-ant');
  });

  it('names the packages to install', async () => {
    const load = () => Promise.reject(new Error("Cannot find package 'langchain'"));
    const opened = openProviderModel(SETTINGS, load);
    await expect(opened).rejects.toThrow(ConfigError);
    await expect(opened).rejects.toThrow('npm install --no-save langchain @langchain/anthropic');
  });

  it('reports another reason as it is', async () => {
    const load = () =>
      Promise.resolve({ initChatModel: () => Promise.reject(new Error('No key was given')) });
    await expect(openProviderModel(SETTINGS, load)).rejects.toThrow(
      'CHAT_MODEL anthropic:claude-x cannot be opened: No key was given',
    );
  });

  it('opens the model with its settings, and streams its answers', async () => {
    const opened: unknown[] = [];
    const fake = new FakeListChatModel({ responses: ['The cache evicts [1].'] });
    const load = () =>
      Promise.resolve({
        initChatModel: (...given: unknown[]) => {
          opened.push(given);
          return Promise.resolve(fake);
        },
      });
    const model = await openProviderModel(SETTINGS, load);
    const fields = { modelProvider: 'anthropic', apiKey: 'sk-ant', maxTokens: 100, maxRetries: 0 };
    expect(opened).toEqual([['claude-x', fields]]);
    const options = { id: 'anthropic:claude-x', timeoutMs: 10_000 };
    const chat = createProviderChat(
      { ...options, clock: systemClock, logger: silentLogger },
      model,
    );
    let text = '';
    const request = { instructions: '', history: [], question: 'What?', evidence: [] };
    for await (const part of chat.answer(request)) if (part.type === 'text') text += part.text;
    expect([chat.id, text]).toEqual(['anthropic:claude-x', 'The cache evicts [1].']);
  });

  it('uses the endpoint without a prefix', async () => {
    const config = loadConfig({ DATA_DIR: '/', CHAT_MODEL: 'llama3:8b' }, '/');
    const chat = await createChatModel({ config, clock: systemClock, logger: silentLogger });
    expect(chat.id).toBe('llama3:8b');
  });
});
