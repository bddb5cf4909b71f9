import { describe, expect, it } from '@jest/globals';

import { ConnectionError, createClient, every, isApiError } from './index.js';

type Answer = Response | Error;

/** Returns a client whose answers are given, and the requests that it sent. */
function scripted(answers: Answer[], options: { readonly retries?: number } = {}) {
  const sent: { readonly url: string; readonly headers: Headers; readonly method: string }[] = [];
  const fetch = (async (input: string, init: RequestInit) => {
    sent.push({ url: input, headers: new Headers(init.headers), method: init.method ?? '' });
    const answer = answers.shift();
    if (answer === undefined) throw new Error('No answer is left');
    if (answer instanceof Error) throw answer;
    return answer;
  }) as typeof globalThis.fetch;
  return { client: createClient({ url: 'http://x/', apiKey: 'fnt_k', fetch, ...options }), sent };
}

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

function refused(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json(status, { error: 'Refused', code, request_id: 'r1' }, headers);
}

function events(...lines: string[]): Response {
  return new Response(lines.join('\n'), { headers: { 'content-type': 'text/event-stream' } });
}

const SOURCE = { name: 'x', source_type: 'repo', url: 'https://example.com/x.git' } as const;

describe('the transport of the client', () => {
  it('repeats a POST after a broken connection with its first Idempotency-Key', async () => {
    const { client, sent } = scripted([new TypeError('reset'), json(201, { id: 's1' })]);
    expect(await client.sources.create({ body: SOURCE })).toEqual({ id: 's1' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('never repeats a POST without such a key after a broken connection', async () => {
    const { client, sent } = scripted([new TypeError('reset')]);
    await expect(client.webhooks.test({ path: { webhook_id: 'w' } })).rejects.toThrow(
      ConnectionError,
    );
    expect(sent).toHaveLength(1);
  });

  it('waits as Retry-After says, also before a request that may run once', async () => {
    const { client, sent } = scripted([
      refused(429, 'rate_limited', { 'retry-after': '0' }),
      json(202, { event_id: 'e' }),
    ]);
    expect(await client.webhooks.test({ path: { webhook_id: 'w' } })).toEqual({ event_id: 'e' });
    expect(sent).toHaveLength(2);
  });

  it('does not wait longer than it may', async () => {
    const { client, sent } = scripted([refused(429, 'quota_exceeded', { 'retry-after': '3600' })]);
    const error: unknown = await client.sources.list().catch((each: unknown) => each);
    expect(isApiError(error, 'quota_exceeded') && error.retryAfter).toBe(3_600);
    expect(sent).toHaveLength(1);
  });

  it('gives up after its attempts', async () => {
    const { client, sent } = scripted([new TypeError('a'), new TypeError('b')], { retries: 1 });
    await expect(client.sources.list()).rejects.toThrow('The service at http://x does not answer');
    expect(sent).toHaveLength(2);
  });

  it('reports an answer of another server as no answer', async () => {
    const { client } = scripted([new Response('<html>', { status: 404 })]);
    await expect(client.sources.list()).rejects.toThrow(ConnectionError);
  });

  it('keeps a path parameter in its place', async () => {
    const { client, sent } = scripted([json(200, {})]);
    await client.sources.get({ path: { source_id: 'a?b#c d' } });
    expect(sent[0]?.url).toBe('http://x/sources/a%3Fb%23c%20d');
    await expect(client.sources.get({ path: { source_id: '..' } })).rejects.toThrow(TypeError);
  });

  it('resumes a stream behind the last event that it saw', async () => {
    const progress = 'event: progress\nid: 7\ndata: {"n":1}\n\n';
    const { client, sent } = scripted([
      events('retry: 1\n', progress),
      events('event: done\nid: 8\ndata: {"n":2}\n\n'),
    ]);
    const seen = [];
    for await (const { event, ...rest } of client.streams.job('j')) seen.push([event, rest]);
    expect(seen).toEqual([
      ['progress', { id: '7', data: { n: 1 } }],
      ['done', { id: '8', data: { n: 2 } }],
    ]);
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7']);
  });

  it('fails a chat that breaks off: nothing can resume it', async () => {
    const { client, sent } = scripted([events('event: token\ndata: {"token":"a"}\n\n')]);
    const words: unknown[] = [];
    const read = async () => {
      for await (const event of client.streams.chat({ query: 'x' })) words.push(event);
    };
    await expect(read()).rejects.toThrow(ConnectionError);
    expect([words.length, sent.length]).toEqual([1, 1]);
  });

  it.each([
    [
      'skip',
      [
        { keys: [1, 2], total: 3 },
        { keys: [3], total: 3 },
      ],
      ['', '?skip=2'],
    ],
  ] as const)('lists every item by %s', async (_, pages, queries) => {
    const { client, sent } = scripted(pages.map((each) => json(200, each)));
    const found: unknown[] = [];
    for await (const key of every(client.keys.list, 'keys')) found.push(key);
    expect(found).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(queries);
  });

  it('lists every item by a cursor of positions', async () => {
    const { client, sent } = scripted([
      json(200, { events: ['a'], next: 5 }),
      json(200, { events: ['b'], next: null }),
    ]);
    const found: unknown[] = [];
    for await (const each of every(client.audit.list, 'events')) found.push(each);
    expect([found, sent[1]?.url]).toEqual([['a', 'b'], 'http://x/audit/events?after=5']);
  });
});
