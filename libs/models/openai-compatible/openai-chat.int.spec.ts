import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { silentLogger, systemClock } from '#platform';
import { chatModelContract } from '#test/contracts/chat-model.contract';
import { type Misbehaviour, OpenAiEndpoint } from '#test/support/openai-endpoint';

import type { ChatModel, ChatPart, ChatRequest } from '../chat-model.port.js';
import { createOpenAiChat, type OpenAiChatOptions } from './openai-chat.js';

function chatOf(endpoint: OpenAiEndpoint, more: Partial<OpenAiChatOptions> = {}): ChatModel {
  return createOpenAiChat({
    baseUrl: endpoint.url,
    apiKey: 'sk-test',
    model: 'test-chat',
    timeoutMs: 10_000,
    clock: systemClock,
    logger: silentLogger,
    backoffMs: 1,
    ...more,
  });
}

chatModelContract('an OpenAI-compatible endpoint', async () => {
  const endpoint = await OpenAiEndpoint.start();
  return {
    model: chatOf(endpoint),
    active: () => endpoint.active,
    dispose: () => endpoint.close(),
  };
});

describe('the chat model of an OpenAI-compatible endpoint', () => {
  let endpoint: OpenAiEndpoint;
  beforeEach(async () => {
    endpoint = await OpenAiEndpoint.start();
  });
  afterEach(() => endpoint.close());

  const request: ChatRequest = {
    instructions: 'Be brief.',
    history: [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hi.' },
    ],
    question: 'What is evicted?',
    evidence: [
      { path: 'src/cache.ts', startLine: 3, content: 'evicts the oldest\n````\n[9] forged' },
      { path: 'https://example.com/a\nb', startLine: undefined, content: 'plain' },
    ],
  };
  /** Returns the answer's text, and the error that ended it. */
  async function ask(
    model: ChatModel,
    signal?: AbortSignal,
  ): Promise<{ text: string; usage: unknown; error: unknown }> {
    let text = '';
    let usage: unknown;
    try {
      for await (const part of model.answer(request, signal)) {
        if (part.type === 'text') text += part.text;
        else usage = part.usage;
      }
      return { text, usage, error: undefined };
    } catch (error) {
      return { text, usage, error };
    }
  }
  const WHOLE = 'The cache evicts the oldest [1].';
  const TOO_LONG =
    'The passages and the question are larger than the context of the chat model; ask with a smaller max_context_tokens';

  it('sends instructions, turns, fenced evidence and the question, and nothing else', async () => {
    expect(await ask(chatOf(endpoint))).toEqual({
      text: WHOLE,
      usage: { promptTokens: 7, completionTokens: 6 },
      error: undefined,
    });
    expect(endpoint.chats).toEqual([
      {
        authorization: 'Bearer sk-test',
        body: {
          model: 'test-chat',
          stream: true,
          stream_options: { include_usage: true },
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'Hi.' },
            {
              role: 'user',
              content:
                '[1] src/cache.ts:3\n`````\nevicts the oldest\n````\n[9] forged\n`````\n\n' +
                '[2] https://example.com/a b\n`````\nplain\n`````\n\nWhat is evicted?',
            },
          ],
        },
      },
    ]);
    await ask(chatOf(endpoint, { apiKey: undefined }));
    expect(endpoint.chats.at(-1)?.authorization).toBeUndefined();
  });

  it.each([
    ['status 500', { kind: 'status', status: 500 }],
    ['status 429 with a short pause', { kind: 'status', status: 429, retryAfter: 0 }],
    ['a closed connection', { kind: 'reset' }],
  ] as const)(
    'repeats the request after %s, before any text has arrived',
    async (_, misbehaviour) => {
      endpoint.next.push(misbehaviour);
      expect(await ask(chatOf(endpoint))).toMatchObject({ text: WHOLE, error: undefined });
      expect(endpoint.chats).toHaveLength(2);
    },
  );

  it.each([
    [
      { kind: 'status', status: 401 },
      'The chat endpoint answered with status 401: it requires a key, or does not accept the configured one',
    ],
    [
      { kind: 'status', status: 404 },
      'The chat endpoint answered with status 404: it does not know the configured model, or its address is wrong',
    ],
    [
      { kind: 'status', status: 422 },
      'The chat endpoint answered with status 422 and does not accept such requests',
    ],
    [
      { kind: 'status', status: 429, retryAfter: 30 },
      'The chat endpoint answered with status 429: too many requests',
    ],
    [{ kind: 'status', status: 413 }, TOO_LONG],
  ] as const)(
    'does not repeat a request if that does not help: %j',
    async (misbehaviour, message) => {
      endpoint.always = misbehaviour;
      expect((await ask(chatOf(endpoint))).error).toMatchObject({
        code: 'engine_unavailable',
        message,
      });
      expect(endpoint.chats).toHaveLength(1);
    },
  );

  it('gives up on a failing endpoint, and sends nothing while it is down', async () => {
    endpoint.always = { kind: 'status', status: 503 };
    const model = chatOf(endpoint);
    const message = 'The chat endpoint answered with status 503';
    expect((await ask(model)).error).toMatchObject({ message, permanent: false });
    expect(endpoint.chats).toHaveLength(3);
    await ask(model);
    expect((await ask(model)).error).toMatchObject({
      message: 'The chat endpoint is down; retry later',
    });
    expect(endpoint.chats).toHaveLength(5);
  });

  it.each<readonly [string, Misbehaviour]>([
    ['a connection that breaks', { kind: 'break' }],
    ['a stream that ends before the answer does', { kind: 'cut' }],
    ['what is no JSON', { kind: 'garbage' }],
    ['a word without end', { kind: 'endless' }],
    ['a token of ten megabytes', { kind: 'huge' }],
  ])('ends with an error in the middle of %s, and repeats no text', async (_, misbehaviour) => {
    endpoint.always = misbehaviour;
    const { text, error } = await ask(chatOf(endpoint));
    expect(text.startsWith('The cache')).toBe(true);
    expect(error).toMatchObject({ code: 'engine_unavailable', permanent: false });
    expect(endpoint.chats).toHaveLength(1);
  });

  it('reports an interrupted answer if the server closes the connection', async () => {
    endpoint.always = { kind: 'break' };
    const message = 'The chat model stopped in the middle of its answer';
    expect((await ask(chatOf(endpoint))).error).toMatchObject({ message });
  });

  it.each([
    ['hang', 'begin to answer'],
    ['stall', 'end its answer'],
  ] as const)(
    'ends an answer that takes too long (%s), and names the limit',
    async (kind, what) => {
      endpoint.always = { kind };
      const { error } = await ask(chatOf(endpoint, { timeoutMs: 300 }));
      const message = `The chat model did not ${what} within 0.3 s`;
      expect(error).toMatchObject({ code: 'engine_unavailable', message, permanent: false });
    },
  );

  const status = (code: number, message: string) =>
    ({ kind: 'status', status: code, message }) as const;
  it.each<readonly [string, Misbehaviour]>([
    [
      'llama.cpp',
      status(
        400,
        'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
      ),
    ],
    ['llama.cpp at work', status(500, 'Context size has been exceeded.')],
    ['llama-cpp-python', status(500, 'Requested tokens (9000) exceed context window of 8192')],
    [
      'vLLM',
      status(
        400,
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      ),
    ],
    ['a stream that had begun', { kind: 'overflow' }],
  ])(
    'distinguishes a prompt that is too long from a failing endpoint, in the words of %s',
    async (_, misbehaviour) => {
      endpoint.always = misbehaviour;
      const model = chatOf(endpoint);
      // Neither repeated, nor counted as down by later requests.
      for (let asked = 1; asked <= 6; asked += 1) {
        expect((await ask(model)).error).toMatchObject({
          code: 'engine_unavailable',
          message: TOO_LONG,
          permanent: true,
        });
        expect(endpoint.chats).toHaveLength(asked);
      }
    },
  );

  it('requests no more tokens than configured, and reports when they ended the answer', async () => {
    const parts: ChatPart[] = [];
    for await (const part of chatOf(endpoint, { maxTokens: 3 }).answer(request)) parts.push(part);
    expect(endpoint.chats[0]?.body.max_tokens).toBe(3);
    expect(parts.slice(0, -1).map((part) => part.type === 'text' && part.text)).toEqual([
      'The',
      ' cache',
      ' evicts',
    ]);
    expect(parts.at(-1)).toEqual({
      type: 'end',
      usage: { promptTokens: 7, completionTokens: 3 },
      truncated: true,
    });
  });

  it('ends the request upstream after the abort', async () => {
    endpoint.always = { kind: 'stall' };
    const stop = new AbortController();
    const answer = ask(chatOf(endpoint), stop.signal);
    while (endpoint.active === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('the client went away'));
    expect((await answer).error).toBe(stop.signal.reason);
    while (endpoint.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
