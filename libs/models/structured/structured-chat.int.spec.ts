import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from 'node:process';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  type ChatUsage,
  createChatModel,
  type RejectedAnswer,
  type StructuredModel,
} from '#models';
import { loadConfig, silentLogger, systemClock } from '#platform';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import {
  type StructuredScript,
  type StructuredWay,
  wayOf,
} from '#test/support/openai-structured-route';

const SCHEMA = z.object({ actions: z.array(z.string()) });
const PLAN = { actions: ['a1'] };
const SECRET = 'which key opens the vault?';
const script = (more: Partial<StructuredScript> = {}): StructuredScript => ({
  ways: ['jsonSchema', 'functionCalling', 'jsonMode'],
  others: 'reject',
  answer: () => PLAN,
  ...more,
});

describe('structured answers of an OpenAI-compatible endpoint', () => {
  let endpoint: OpenAiEndpoint;
  let model: StructuredModel;
  let used: ChatUsage[];

  beforeEach(async () => {
    endpoint = await OpenAiEndpoint.start();
    used = [];
    model = await opened(endpoint);
  });
  afterEach(() => endpoint.close());

  async function opened({ url }: OpenAiEndpoint): Promise<StructuredModel> {
    const config = loadConfig(
      { DATA_DIR: '/', CHAT_MODEL: 'test-chat', CHAT_BASE_URL: url, CHAT_API_KEY: 'sk-test' },
      '/',
    );
    const chat = await createChatModel({ config, clock: systemClock, logger: silentLogger });
    if (!chat.structured) throw new Error('The model has no structured answers');
    return chat.structured;
  }

  const ask = (
    more: {
      readonly most?: number;
      readonly timeoutMs?: number;
      readonly rejected?: RejectedAnswer;
    } = {},
    signal = new AbortController().signal,
  ) =>
    model.ask(
      {
        name: 'plan',
        schema: SCHEMA,
        instructions: 'Choose actions.',
        text: SECRET,
        timeoutMs: 10_000,
        meter: { allows: () => used.length < (more.most ?? 9), add: (usage) => used.push(usage) },
        ...more,
      },
      signal,
    );
  const waysAsked = () => endpoint.chats.map(({ body }) => wayOf(body));

  it('asks by a schema first, and counts the tokens', async () => {
    endpoint.structured = script();
    expect(await ask()).toEqual({ kind: 'answered', value: PLAN });
    expect(waysAsked()).toEqual(['jsonSchema']);
    expect(used).toEqual([{ promptTokens: 100, completionTokens: 20 }]);
  });

  it.each<readonly [string, StructuredWay, StructuredScript['others'], number]>([
    ['rejects a schema', 'functionCalling', 'reject', 1],
    ['rejects functions too', 'jsonMode', 'reject', 1],
    ['ignores a schema', 'functionCalling', 'ignore', 2],
    ['ignores functions too', 'jsonMode', 'ignore', 3],
  ])('tries the next way where a server %s, and begins with it later', async (...given) => {
    const [, way, others, calls] = given;
    endpoint.structured = script({ ways: [way], others });
    expect(await ask()).toEqual({ kind: 'answered', value: PLAN });
    expect(used).toHaveLength(calls);
    const before = endpoint.chats.length;
    expect(await ask()).toEqual({ kind: 'answered', value: PLAN });
    expect(waysAsked().slice(before)).toEqual([way]);
  });

  it('reports an object that does not fit, and sends the problem with the repair', async () => {
    endpoint.structured = script({ answer: () => ({ actions: 'all' }) });
    const answer = await ask();
    expect(answer).toMatchObject({ kind: 'invalid', text: '{"actions":"all"}' });
    const problem = answer.kind === 'invalid' ? answer.problem : '';
    expect(problem).toContain('actions: Invalid input: expected array, received string');
    endpoint.structured = script();
    expect(await ask({ rejected: { text: '{"actions":"all"}', problem } })).toMatchObject({
      kind: 'answered',
    });
    const messages = endpoint.chats.at(-1)?.body.messages.map(({ content }) => content) ?? [];
    expect(messages.slice(2)).toEqual(['{"actions":"all"}', expect.stringContaining(problem)]);
  });

  it('reads an object between fences', async () => {
    endpoint.structured = script({ answer: () => `\`\`\`json\n${JSON.stringify(PLAN)}\n\`\`\`` });
    expect(await ask()).toEqual({ kind: 'answered', value: PLAN });
  });

  it('reports prose where every way fails', async () => {
    endpoint.structured = script({ ways: [], others: 'ignore' });
    expect(await ask()).toMatchObject({ kind: 'invalid', text: 'Certainly! Here is the plan.' });
    expect(waysAsked()).toEqual(['jsonSchema', 'functionCalling', 'jsonMode']);
  });

  it('sends nothing beyond the budget', async () => {
    endpoint.structured = script({ ways: [], others: 'ignore' });
    expect(await ask({ most: 0 })).toEqual({ kind: 'over_budget' });
    expect(endpoint.chats).toHaveLength(0);
    expect(await ask({ most: 2 })).toMatchObject({ kind: 'invalid' });
    expect(endpoint.chats).toHaveLength(2);
  });

  it('fails where the server rejects every way, and where it is down', async () => {
    endpoint.structured = script({ ways: [] });
    await expect(ask()).rejects.toMatchObject({ code: 'engine_unavailable', permanent: true });
    endpoint.always = { kind: 'status', status: 503 };
    await expect(ask()).rejects.toMatchObject({ code: 'engine_unavailable', permanent: false });
    expect(used).toEqual([]);
  });

  it('ends after its time, and counts the request', async () => {
    endpoint.always = { kind: 'hang' };
    await expect(ask({ timeoutMs: 200 })).rejects.toMatchObject({
      message: 'The chat model did not answer within 0.2 s',
    });
    expect(used).toEqual([{ promptTokens: expect.any(Number), completionTokens: 0 }]);
  });

  it('ends the request upstream after the abort, and sends no other', async () => {
    endpoint.always = { kind: 'hang' };
    const stop = new AbortController();
    const answer = ask({}, stop.signal).catch((error: unknown) => error);
    while (endpoint.chats.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('cancelled'));
    expect(await answer).toBe(stop.signal.reason);
    while (endpoint.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(endpoint.chats).toHaveLength(1);
  });

  it('calls no tracing host, whatever the environment says', async () => {
    const received: (string | undefined)[] = [];
    const tracer: Server = createServer(({ url }, response) => {
      received.push(url);
      response.end('{}');
    });
    await new Promise<void>((resolve) => tracer.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(tracer.address() as AddressInfo).port}`;
    const printed: unknown[] = [];
    const log = console.log;
    console.log = (...given) => void printed.push(given);
    try {
      Object.assign(env, {
        LANGSMITH_TRACING: 'true',
        LANGSMITH_TRACING_V2: 'true',
        LANGCHAIN_TRACING: 'true',
        LANGCHAIN_TRACING_V2: 'true',
        LANGCHAIN_VERBOSE: 'true',
        LANGSMITH_API_KEY: 'ls',
        LANGCHAIN_API_KEY: 'ls',
        LANGSMITH_ENDPOINT: address,
        LANGCHAIN_ENDPOINT: address,
      });
      model = await opened(endpoint);
      endpoint.structured = script();
      expect(await ask()).toEqual({ kind: 'answered', value: PLAN });
      // A tracer would have to be flushed: it sends in the background.
      const { awaitAllCallbacks } = await import('@langchain/core/callbacks/promises');
      await awaitAllCallbacks();
      expect(received).toEqual([]);
      expect(JSON.stringify(printed)).not.toContain(SECRET);
    } finally {
      console.log = log;
      for (const name of Object.keys(env))
        if (/^LANG(?:SMITH|CHAIN)_/.test(name)) Reflect.deleteProperty(env, name);
      await new Promise((resolve) => tracer.close(resolve));
    }
  });
});
