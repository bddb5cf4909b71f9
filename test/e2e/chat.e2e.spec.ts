import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { ChatResponseView } from '#contracts/http/index';
import { openStream, readFrames, type StreamFrame } from '#test/support/api/read-stream';
import type { ApiClient } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { type Misbehavior, OpenAiEndpoint } from '#test/support/openai-endpoint';
import { TwoTenantService } from '#test/support/two-tenants';

const QUESTION = 'which entry does the cache evict?';
/** The words of the scripted model. */
const WHOLE = 'The cache evicts the oldest [1].';
const CACHE = `/** Evicts the oldest entry of the cache. */
export function evict(entries: string[]): string | undefined {
  return entries.shift();
}
`;

async function serviceWithCache(
  environment: Readonly<Record<string, string>> = {},
): Promise<TwoTenantService> {
  const service = await TwoTenantService.start(environment);
  const { url } = TestRepository.create(`${service.scratch}/repo`, { 'src/cache.ts': CACHE });
  const { id } = await service.first.createRepo('Cache', url);
  await service.first.syncToEnd(id);
  return service;
}

const ask = (client: ApiClient, body: object = {}) =>
  client.call<ChatResponseView & { code?: string }>('POST', '/chat', { query: QUESTION, ...body });
const open = (service: TwoTenantService, key = service.key) =>
  openStream(Number(new URL(service.url).port), '/chat/stream', { key, body: { query: QUESTION } });
const textOf = (frames: readonly StreamFrame[]) =>
  frames.map(({ event, data }) => (event === 'token' ? String(data['token']) : '')).join('');

const streamed = async (service: TwoTenantService) => ({
  answer: textOf(await readFrames(await open(service))),
});

/** The parts of the stream, each with its time. */
async function* noting(times: number[], stream: AsyncIterable<unknown>): AsyncGenerator {
  for await (const part of stream) {
    times.push(performance.now());
    yield part;
  }
}

describe('questions to a running service with a model', () => {
  let service: TwoTenantService;
  let endpoint: OpenAiEndpoint;
  beforeAll(async () => {
    endpoint = await OpenAiEndpoint.start();
    service = await serviceWithCache({
      CHAT_MODEL: 'scripted',
      CHAT_BASE_URL: endpoint.url,
      CHAT_TIMEOUT_SECONDS: '3',
      SERVICE_DOCS: 'true',
    });
  }, 240_000);
  afterAll(async () => {
    await service.dispose();
    await endpoint.close();
  });
  afterEach(() => {
    endpoint.always = undefined;
    endpoint.next.length = 0;
  });

  async function idle(): Promise<void> {
    const deadline = Date.now() + 1_000;
    while (endpoint.active > 0 && Date.now() < deadline) await delay(5);
    expect(endpoint.active).toBe(0);
  }

  it('are answered and streamed alike, cited by file and line, and never from another tenant’s sources', async () => {
    const { status, body, headers } = await ask(service.first);
    expect([status, body]).toMatchObject([200, { answer: WHOLE, model_used: 'scripted' }]);
    expect(body.citations).toMatchObject([
      { number: 1, path: 'src/cache.ts', source_name: 'Cache', start_line: 1 },
    ]);
    const frames = await readFrames(await open(service));
    expect(textOf(frames)).toBe(body.answer);
    expect(frames.at(-1)).toMatchObject({
      event: 'done',
      data: { citations: [{ path: 'src/cache.ts' }] },
    });
    const replay = await service.first.call(
      'POST',
      `/receipts/${headers.get('x-receipt-id')}/replay`,
    );
    expect(replay.headers.get('x-replay-matches')).toBe('true');
    const asked = endpoint.chats.length;
    expect((await ask(service.second)).body).toMatchObject({ citations: [], model_used: 'none' });
    expect(endpoint.chats).toHaveLength(asked);
  });

  it('are answered from the service’s own documentation where they ask for it, which no search sees', async () => {
    const documented = {
      query: 'how long does an answer wait for mentioned packages?',
      scope: 'service_docs',
    };
    const deadline = Date.now() + 60_000;
    let answer = await ask(service.second, documented);
    while (answer.body.model_used === 'none' && Date.now() < deadline) {
      await delay(200);
      answer = await ask(service.second, documented);
    }
    expect(answer.body.citations).toMatchObject([{ source_name: 'Footnote documentation' }]);
    const found = await service.second.search(documented.query);
    expect(found.results).toBeUndefined();
    expect(await service.second.expect('GET', '/sources')).toMatchObject({ total: 0 });
    expect(await service.second.expect('GET', '/jobs')).toMatchObject({ total: 0 });
  }, 90_000);

  it('arrive word by word where the model is slow, and whole', async () => {
    endpoint.always = { kind: 'slow' };
    const times: number[] = [];
    const [alone, frames] = await Promise.all([
      ask(service.first),
      open(service).then((stream) => readFrames(noting(times, stream))),
    ]);
    expect([alone.body.answer, textOf(frames)]).toEqual([WHOLE, WHOLE]);
    expect(frames.at(-1)?.event).toBe('done');
    // Six words, a quarter of a second apart.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000);
  });

  describe.each<[string, number, readonly Misbehavior[]]>([
    ['asks to wait', 1_000, [{ kind: 'status', status: 429, retryAfter: 1 }]],
    ['fails twice', 0, Array.from({ length: 2 }, () => ({ kind: 'status', status: 500 }) as const)],
  ])('where the model %s before its first word', (_, atLeastMs, faults) => {
    it.each(['/chat', '/chat/stream'])('are answered all the same by %s', async (path) => {
      endpoint.next.push(...faults);
      const asked = performance.now();
      const { answer } =
        path === '/chat' ? (await ask(service.first)).body : await streamed(service);
      expect(answer).toBe(WHOLE);
      expect(performance.now() - asked).toBeGreaterThanOrEqual(atLeastMs);
      expect(endpoint.next).toEqual([]);
    });
  });

  it.each<[string, string, Misbehavior]>([
    ['refuses', '', { kind: 'status', status: 401 }],
    ['never says anything', '', { kind: 'hang' }],
    ['stops in the middle', 'The cache', { kind: 'stall' }],
    ['breaks off', 'The cache', { kind: 'break' }],
    ['ends before its answer does', 'The cache', { kind: 'cut' }],
    ['sends what is no JSON', 'The cache', { kind: 'garbage' }],
    ['never ends', 'The cache', { kind: 'endless' }],
    ['sends a word of ten megabytes', 'The cache', { kind: 'huge' }],
    ['goes on failing', '', { kind: 'status', status: 500 }],
  ])('end with an error where the model %s, and the next is answered', async (_, begins, fault) => {
    endpoint.always = fault;
    const [alone, frames] = await Promise.all([
      ask(service.first),
      open(service).then((stream) => readFrames(stream)),
    ]);
    expect([alone.status, alone.body.code]).toEqual([503, 'engine_unavailable']);
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'engine_unavailable' } });
    expect(frames.filter(({ event }) => event !== 'token')).toHaveLength(1);
    const text = textOf(frames);
    expect([text.slice(0, 'The cache'.length), text.length < 2 ** 20]).toEqual([begins, true]);
    await idle();
    endpoint.always = undefined;
    // One that failed again and again is left alone for some seconds.
    const deadline = Date.now() + 10_000;
    let next = await ask(service.first);
    while (next.status === 503 && fault.kind === 'status' && Date.now() < deadline) {
      await delay(100);
      next = await ask(service.first);
    }
    expect([next.status, next.body.answer]).toEqual([200, WHOLE]);
  });

  it('end the work of the model within a second when their client leaves', async () => {
    endpoint.always = { kind: 'stall' };
    const stream = await open(service);
    await readFrames(stream, 2);
    stream.destroy();
    await idle();
  });
});

describe('questions to a running service without a model', () => {
  let service: TwoTenantService;
  beforeAll(async () => void (service = await serviceWithCache()), 240_000);
  afterAll(() => service.dispose());

  it('are answered by quoting what answers them, streamed alike', async () => {
    const { body } = await ask(service.first);
    expect(body.model_used).toBe('extractive-v1');
    expect(body.answer).toContain('> Evicts the oldest entry of the cache.');
    expect(body.answer).toContain('return entries.shift();');
    expect(body.citations).toMatchObject([
      { number: 1, path: 'src/cache.ts', start_line: 1, symbol: 'evict' },
    ]);
    const frames = await readFrames(await open(service));
    expect(textOf(frames)).toBe(body.answer);
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { model_used: 'extractive-v1' } });
  });

  it('have no documentation of the service to ask where it is switched off', async () => {
    const { status, body } = await ask(service.first, { scope: 'service_docs' });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });
});
