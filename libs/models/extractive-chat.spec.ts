import { describe, expect, it } from '@jest/globals';

import { chatModelContract } from '#test/contracts/chat-model.contract';

import type { ChatRequest } from './chat-model.port.js';
import { createExtractiveChat } from './extractive-chat.js';

chatModelContract('quotes of the evidence', async () => ({
  model: createExtractiveChat(),
  active: () => 0,
  dispose: async () => undefined,
}));

describe('the extractive chat model', () => {
  async function answer(request: Partial<ChatRequest>): Promise<string> {
    const whole: ChatRequest = { instructions: '', history: [], question: '', evidence: [], ...request };
    let text = '';
    for await (const part of createExtractiveChat().answer(whole)) if (part.type === 'text') text += part.text;
    return text;
  }
  const passage = (content: string) => ({ path: 'a.ts', startLine: 1, content });

  it('quotes the lines that cover the question, each passage with its number', async () => {
    const evidence = ['const a = 1;', 'evict the cache', 'the cache evicts'].map(passage);
    expect(await answer({ question: 'cache eviction', evidence })).toBe(
      'evict the cache [2]\n\nthe cache evicts [3]\n\n',
    );
  });

  it('says nothing where the evidence says nothing to the question', async () => {
    expect(await answer({ question: 'cache eviction', evidence: [passage('const a = 1;')] })).toBe('');
  });
});
