import { afterEach, describe, expect, it } from '@jest/globals';

import { type EmbeddingSettings, loadConfig, silentLogger, systemClock } from '#platform';
import { type EndpointOptions, OpenAiEndpoint } from '#test/support/openai-endpoint';

import { createEmbedder } from '../create-embedder.js';
import type { Embedder, EmbeddingInput } from '../embedder.port.js';
import { createOpenAiEmbedder } from './openai-embedder.js';

const passage = (content: string): EmbeddingInput => ({
  path: 'src/a.ts',
  symbol: 'run',
  defs: ['run'],
  content,
});
const passages = (count: number): EmbeddingInput[] =>
  Array.from({ length: count }, (_, i) => passage(`text ${i}`));
const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  Array.from(a ?? []).reduce((sum, value, at) => sum + value * (b?.[at] ?? NaN), 0);

async function until(reached: () => boolean): Promise<void> {
  for (let look = 0; !reached(); look += 1) {
    if (look === 200) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the embedder of an OpenAI-compatible endpoint', () => {
  let endpoint: OpenAiEndpoint;
  afterEach(() => endpoint.close());

  async function open(
    options: EndpointOptions = {},
    settings: Partial<EmbeddingSettings> = {},
    backoffMs = 1,
  ): Promise<Embedder> {
    endpoint = await OpenAiEndpoint.start(options);
    const environment = {
      EMBEDDING_MODEL: 'test-model',
      EMBEDDING_DIMENSIONS: '64',
      EMBEDDING_BASE_URL: endpoint.url,
    };
    const { embedding } = loadConfig({ ...environment, EMBEDDING_API_KEY: 'sk-test' }, '/');
    const config = { ...(embedding as EmbeddingSettings), ...settings };
    return createOpenAiEmbedder({ config, clock: systemClock, logger: silentLogger, backoffMs });
  }
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no error',
      (error: unknown) => error,
    );

  it('returns unit vectors in the order of the passages, near related texts', async () => {
    const embedder = await open();
    const [gone, paint, ...rest] = await embedder.embedPassages([
      passage('erase the member'),
      passage('paint walls'),
    ]);
    const query = await embedder.embedQuery('delete a user');
    expect(rest).toEqual([]);
    expect(gone).toHaveLength(64);
    expect(dot(gone, gone)).toBeCloseTo(1, 5);
    expect(dot(query, gone)).toBeGreaterThan(dot(query, paint) + 0.2);
  });

  it('sends path, symbol and text with the key, and nothing else', async () => {
    const embedder = await open();
    await embedder.embedPassages([passage('a\nb'), { path: 'b.md', defs: [], content: 'c' }]);
    expect(endpoint.requests).toEqual([
      {
        at: expect.any(Number),
        input: ['src/a.ts\nrun\n\na\nb', 'b.md\n\nc'],
        model: 'test-model',
        dimensions: undefined,
        authorization: 'Bearer sk-test',
        misbehavior: undefined,
      },
    ]);
  });

  it('sends no authorization without a key, and requests dimensions if configured', async () => {
    const embedder = await open({}, { apiKey: undefined, sendDimensions: true });
    await embedder.embedQuery('x');
    expect(endpoint.requests).toMatchObject([{ authorization: undefined, dimensions: 64 }]);
  });

  it('adds the prefixes of known models, or the configured ones, to query and passage', async () => {
    const embedder = await open(
      {},
      { model: 'intfloat/multilingual-e5-small', queryPrefix: 'ask: ' },
    );
    await embedder.embedPassages([passage('x')]);
    await embedder.embedQuery('y');
    expect(endpoint.embedded).toEqual(['passage: src/a.ts\nrun\n\nx', 'ask: y']);
    expect(embedder.id).toMatch(/^intfloat\/multilingual-e5-small@64\+[0-9a-f]{8}$/);
  });

  it('divides batches by count and by size, and limits concurrent requests', async () => {
    const embedder = await open({ latencyMs: 20 }, { batchSize: 10, concurrency: 3 });
    await embedder.embedPassages(passages(95));
    expect(endpoint.requests.map(({ input }) => input.length)).toEqual([
      4,
      8,
      ...new Array<number>(8).fill(10),
      3,
    ]);
    expect(endpoint.mostActive).toBe(3);
    // The learned limits apply to later passages.
    await embedder.embedPassages(passages(10));
    expect(endpoint.requests.at(-1)?.input).toHaveLength(10);
    await embedder.embedPassages([passage('x'.repeat(200_000)), passage('y'.repeat(200_000))]);
    expect(endpoint.requests.slice(-2).map(({ input }) => input.length)).toEqual([1, 1]);
  });

  it('completes with an endpoint that embeds few passages a second, and reports each answer', async () => {
    const embedder = await open({ textsPerSecond: 40 }, { timeoutSeconds: 1 });
    const reported: number[] = [];
    let asked = 0;
    const vectors = await embedder.embedPassages(passages(80), undefined, async (placed) => {
      reported.push(...placed.map(({ index }) => index));
      asked = Math.max(asked, placed.length);
    });
    expect(vectors.every((vector) => Math.abs(dot(vector, vector) - 1) < 1e-5)).toBe(true);
    expect(reported.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, index) => index),
    );
    expect(asked).toBeLessThan(40);
    expect({ abandoned: endpoint.abandoned, mostActive: endpoint.mostActive }).toEqual({
      abandoned: 0,
      mostActive: 1,
    });
    expect(endpoint.embedded).toHaveLength(80);
  });

  it('never repeats a timed-out request at its size, and leaves none behind', async () => {
    const embedder = await open({}, { timeoutSeconds: 0.3, batchSize: 16 });
    endpoint.when = (input) => (input.length > 3 ? { kind: 'hang' } : undefined);
    expect(await embedder.embedPassages(passages(12))).toHaveLength(12);
    const sizes = new Map<string, number[]>();
    for (const { input } of endpoint.requests)
      for (const text of input) sizes.set(text, [...(sizes.get(text) ?? []), input.length]);
    for (const tried of sizes.values())
      expect(tried).toEqual([...new Set(tried)].toSorted((a, b) => b - a));
    // On a busy machine an answer may come after the limit too, and its texts are sent again.
    expect(new Set(endpoint.embedded).size).toBe(12);
    const hung = endpoint.requests.filter((each) => each.misbehavior).length;
    await until(() => endpoint.abandoned >= hung);
  });

  it('reports that not even one passage is answered in time', async () => {
    const embedder = await open({}, { timeoutSeconds: 0.05, batchSize: 4 });
    endpoint.always = { kind: 'hang' };
    const error = await refusal(embedder.embedPassages(passages(1)));
    expect(error).toMatchObject({ code: 'engine_unavailable', permanent: false });
    expect((error as Error).message).toBe(
      'The embedding endpoint did not answer in time: No answer within 0.05 s',
    );
  });

  it.each([
    ['status 500', { kind: 'status', status: 500 }],
    ['a closed connection', { kind: 'reset' }],
    ['a body that is no JSON', { kind: 'garbage' }],
    ['a vector too few', { kind: 'short' }],
    ['NaN', { kind: 'nan' }],
    ['a zero vector', { kind: 'zero' }],
  ] as const)('repeats only the failed batch after %s', async (_, misbehavior) => {
    const embedder = await open({}, { batchSize: 4, concurrency: 1 });
    endpoint.when = (input) =>
      input.some((text) => text.endsWith('text 5')) &&
      endpoint.requests.filter((each) => each.misbehavior).length === 0
        ? misbehavior
        : undefined;
    const vectors = await embedder.embedPassages(passages(12));
    expect(vectors).toHaveLength(12);
    expect(vectors.every((vector) => Math.abs(dot(vector, vector) - 1) < 1e-5)).toBe(true);
    expect(endpoint.requests).toHaveLength(4);
    const texts = endpoint.requests.map(({ input }) => input[0]?.slice(-2));
    expect(texts.toSorted()).toEqual([' 0', ' 4', ' 4', ' 8']);
  });

  it('orders vectors that arrive in another order', async () => {
    const embedder = await open();
    const expected = await embedder.embedPassages(passages(5));
    endpoint.next.push({ kind: 'shuffled' });
    expect(await embedder.embedPassages(passages(5))).toEqual(expected);
  });

  it('gives up on vectors that stay invalid, with a clear message', async () => {
    const embedder = await open();
    endpoint.always = { kind: 'nan' };
    const error = await refusal(embedder.embedPassages(passages(2)));
    expect(error).toMatchObject({ code: 'engine_unavailable', permanent: false });
    expect((error as Error).message).toBe(
      'The embedding model returned a vector that is zero or not finite',
    );
    expect(endpoint.requests).toHaveLength(2);
  });

  it('rejects vectors of another width at once, since they are permanent', async () => {
    const embedder = await open({ dimensions: 32 });
    const error = await refusal(embedder.embedPassages(passages(2)));
    expect(error).toMatchObject({ permanent: true });
    expect((error as Error).message).toContain('32 dimensions, but 64 are configured');
    expect(endpoint.requests).toHaveLength(1);
  });

  it('waits as long as the endpoint requests after status 429, with all batches, then continues', async () => {
    const embedder = await open({}, { batchSize: 1, concurrency: 1 });
    endpoint.next.push({ kind: 'status', status: 429, retryAfter: 1 });
    expect(await embedder.embedPassages(passages(4))).toHaveLength(4);
    expect(endpoint.requests).toHaveLength(5);
    const [refused, ...later] = endpoint.requests.map(({ at }) => at) as [number, ...number[]];
    expect(Math.min(...later) - refused).toBeGreaterThanOrEqual(990);
  });

  it.each([
    [401, 'invalid key'],
    [404, 'no such model'],
    [429, 'You exceeded your current quota, please check your plan'],
  ])('does not repeat the permanent failure of status %i', async (status, message) => {
    const embedder = await open();
    endpoint.always = { kind: 'status', status, message };
    expect(await refusal(embedder.embedPassages(passages(1)))).toMatchObject({
      permanent: true,
      statusCode: status,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('halves a batch that is too large, and cuts a single text that is too long', async () => {
    const embedder = await open({ maxCharacters: 1_000 });
    const long = passage('word '.repeat(500));
    const vectors = await embedder.embedPassages([
      passage('one'),
      passage('two'),
      long,
      passage('four'),
    ]);
    expect(vectors).toHaveLength(4);
    const lengths = endpoint.embedded.map((text) => text.length);
    expect(lengths.filter((length) => length > 100)).toEqual([
      Math.floor(Math.floor(2515 / 2) / 2),
    ]);
    expect(vectors[3]).toEqual((await embedder.embedPassages([passage('four')]))[0]);
  });

  it('cuts passages at the context of the model, never inside a character', async () => {
    const embedder = await open({}, { maxInputTokens: 64 });
    await embedder.embedPassages([{ path: 'p', defs: [], content: '😀'.repeat(200) }]);
    const [text = ''] = endpoint.embedded;
    expect(text.length).toBe(192);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  it('reports an unavailable engine, and sends nothing for a while', async () => {
    const embedder = await open({}, { concurrency: 1 });
    endpoint.always = { kind: 'reset' };
    expect(await refusal(embedder.embedPassages(passages(1)))).toMatchObject({
      code: 'engine_unavailable',
      permanent: false,
      message: 'The embedding endpoint did not answer',
    });
    const asked = endpoint.requests.length;
    const down = await refusal(embedder.embedQuery('anything'));
    expect(down).toMatchObject({
      code: 'engine_unavailable',
      message: 'The embedding endpoint is down; retry later',
    });
    expect((down as { retryAfter: number }).retryAfter).toBeGreaterThanOrEqual(1);
    expect(endpoint.requests).toHaveLength(asked);
  });

  it.each([{ kind: 'hang' }, { kind: 'stall' }] as const)(
    'ends a request that takes too long ($kind)',
    async (kind) => {
      const embedder = await open({}, { timeoutSeconds: 0.2 });
      endpoint.next.push(kind);
      expect(await embedder.embedPassages(passages(1))).toHaveLength(1);
      endpoint.next.push(kind);
      expect(await embedder.embedQuery('after a hang')).toHaveLength(64);
    },
  );

  it('does not read an endless answer', async () => {
    const embedder = await open({ dimensions: 60_000 });
    const message = 'The embedding endpoint returned an unreadable answer';
    expect(await refusal(embedder.embedQuery('x'))).toMatchObject({
      code: 'engine_unavailable',
      message,
    });
  });

  it('stops on an abort, with its reason', async () => {
    const embedder = await open({}, { batchSize: 1, concurrency: 1 });
    endpoint.always = { kind: 'hang' };
    const stop = new AbortController();
    const work = refusal(embedder.embedPassages(passages(3), stop.signal));
    while (endpoint.active === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('cancelled'));
    expect(await work).toMatchObject({ message: 'cancelled' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('embeds a query once for concurrent callers, but does not cache a failure', async () => {
    const embedder = await open({ latencyMs: 20 });
    const [first, second] = await Promise.all([
      embedder.embedQuery('same'),
      embedder.embedQuery('same'),
    ]);
    expect(await embedder.embedQuery('same')).toBe(first);
    expect(second).toBe(first);
    expect(endpoint.requests).toHaveLength(1);
    endpoint.next.push({ kind: 'status', status: 401 });
    expect(await refusal(embedder.embedQuery('other'))).toMatchObject({ statusCode: 401 });
    expect(await embedder.embedQuery('other')).toHaveLength(64);
  });

  it('does not let passages delay a query', async () => {
    const embedder = await open({}, { batchSize: 1, concurrency: 2 });
    endpoint.when = (input) => (input[0]?.includes('text') ? { kind: 'hang' } : undefined);
    const stop = new AbortController();
    const work = refusal(embedder.embedPassages(passages(8), stop.signal));
    expect(await embedder.embedQuery('is anybody there')).toHaveLength(64);
    stop.abort(new Error('enough'));
    await work;
  });

  it('is chosen by the configuration alone, without a request to the endpoint', async () => {
    await open();
    const context = { clock: systemClock, logger: silentLogger };
    const local = await createEmbedder({ ...context, config: loadConfig({}, '/') });
    expect(local).toMatchObject({ id: 'meaning-v1', local: true });
    const config = loadConfig(
      { EMBEDDING_MODEL: 'text-embedding-3-small', EMBEDDING_BASE_URL: endpoint.url },
      '/',
    );
    const remote = await createEmbedder({ ...context, config });
    expect(remote).toMatchObject({
      id: 'text-embedding-3-small@1536',
      dimensions: 1536,
      local: false,
    });
    expect(endpoint.requests).toHaveLength(0);
  });

  it.each([
    [
      { EMBEDDING_MODEL: 'unheard-of' },
      'EMBEDDING_DIMENSIONS is required for the unknown EMBEDDING_MODEL "unheard-of"',
    ],
    [
      { EMBEDDING_MODEL: 'x', EMBEDDING_DIMENSIONS: '100' },
      'EMBEDDING_DIMENSIONS must be a multiple of 16 (got 100)',
    ],
  ])('rejects %j with one sentence', async (environment, sentence) => {
    await open();
    const config = loadConfig(environment, '/');
    const context = { clock: systemClock, logger: silentLogger };
    expect(await refusal(createEmbedder({ ...context, config }))).toMatchObject({
      name: 'ConfigError',
      message: sentence,
    });
  });
});
