import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { type SitePage, WebSite } from '#test/support/web-site';

import { WebClient, type WebClientOptions, type WebRequest } from './web-client.js';

const PAGE = '<h1>Pets é</h1>';
const packed =
  (coding: string, body: Uint8Array): SitePage =>
  (_, response) =>
    response.writeHead(200, { 'content-encoding': coding, 'content-type': 'text/html' }).end(body);
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): SitePage =>
  (_, response) =>
    response.writeHead(code, headers).end('no');

let site: WebSite;
const clients: WebClient[] = [];
beforeAll(async () => {
  site = await WebSite.start({
    '/page': PAGE,
    '/gzip': packed('gzip', gzipSync(PAGE)),
    '/twice': packed('gzip, br', brotliCompressSync(gzipSync(PAGE))),
    '/deflate': packed('deflate', deflateSync(PAGE)),
    '/raw-deflate': packed('deflate', deflateRawSync(PAGE)),
    '/empty': packed('gzip', Buffer.alloc(0)),
    '/not-gzip': packed('gzip', Buffer.from('plain')),
    '/cut': packed('gzip', gzipSync(PAGE).subarray(0, 20)),
    '/odd': packed('zstd', Buffer.from(PAGE)),
    '/bomb': packed('gzip', gzipSync(Buffer.alloc(30_000_000))),
    '/redirect': (_, response) => response.writeHead(302, { location: '/page' }).end(),
    '/typed': (_, response) =>
      response.writeHead(200, { 'content-type': 'Text/HTML; Charset="ISO-8859-2"' }).end('x'),
    '/never': () => undefined,
    '/stall': (_, response) => void response.writeHead(200).write('begun'),
    '/gone': status(404),
    '/login': status(401),
    '/teapot': status(418),
    '/busy': status(429, { 'retry-after': '7' }),
    '/down': status(503, { 'retry-after': new Date(Date.now() + 100_000).toUTCString() }),
    '/long': status(503, { 'retry-after': '86400' }),
    '/broken': status(500),
    '/large': (_, response) =>
      response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5_000)),
    '/chunked': (_, response) => {
      response.write('x'.repeat(3_000));
      response.end('x'.repeat(2_000));
    },
  });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => site.stop());

function client(options: Partial<WebClientOptions> = {}): WebClient {
  const made = new WebClient({
    network: { allowPrivateNetworks: true },
    userAgent: 'Footnote (test)',
    signal: new AbortController().signal,
    ...options,
  });
  clients.push(made);
  return made;
}
const get = (
  path: string,
  more: Partial<WebRequest> = {},
  options: Partial<WebClientOptions> = {},
) => client(options).get(site.url(path), { maxBytes: 1_000_000_000, ...more });
const failure = async (...asked: Parameters<typeof get>): Promise<unknown> => {
  const [path] = asked;
  const url = site.url(path);
  return get(...asked).then(
    () => 'no error',
    (
      error: Error & {
        retryable: boolean;
        details: Record<string, unknown>;
        retryAfterMs?: number;
      },
    ) => {
      const { message, retryable, details, retryAfterMs } = error;
      expect(details['url']).toBe(url);
      return [message.replace(url, 'URL'), retryable, details['status_code'], retryAfterMs];
    },
  );
};

describe('the web client', () => {
  it('says who it is, and reads a document with its type and validators', async () => {
    const answer = await get('/page', { accept: 'text/html' });
    expect(answer).toEqual({
      kind: 'document',
      url: site.url('/page'),
      mediaType: 'text/html',
      charset: 'utf-8',
      etag: expect.any(String),
      bytes: Buffer.from(PAGE),
    });
    expect(site.seen.at(-1)?.headers).toMatchObject({
      'user-agent': 'Footnote (test)',
      accept: 'text/html',
    });
    expect(await get('/typed')).toMatchObject({ mediaType: 'text/html', charset: 'ISO-8859-2' });
    expect(await get('/redirect')).toMatchObject({
      url: site.url('/page'),
      bytes: Buffer.from(PAGE),
    });
  });

  it('asks for what changed alone, by either validator', async () => {
    const first = await get('/page');
    const etag = first.kind === 'document' ? first.etag : undefined;
    expect(await get('/page', { etag })).toEqual({ kind: 'unchanged', url: site.url('/page') });
    expect(await get('/page', { etag: '"another"' })).toMatchObject({ kind: 'document' });
    const since = 'Wed, 21 Oct 2015 07:28:00 GMT';
    site.put({
      '/dated': (request, response) => {
        const isKnown = request.headers['if-modified-since'] === since;
        response.writeHead(isKnown ? 304 : 200, { 'last-modified': since }).end();
      },
    });
    expect(await get('/dated')).toMatchObject({ last_modified: since });
    expect(await get('/dated', { last_modified: since })).toMatchObject({ kind: 'unchanged' });
  });

  it.each(['/gzip', '/twice', '/deflate', '/raw-deflate'])(
    'undoes the coding of %s',
    async (path) => {
      expect(await get(path)).toMatchObject({ bytes: Buffer.from(PAGE) });
    },
  );

  it('takes an empty body for what it is', async () => {
    expect(await get('/empty')).toMatchObject({ bytes: Buffer.alloc(0) });
  });

  it.each([
    ['/gone', 'URL does not exist', false, 404, undefined],
    ['/login', 'URL may not be read without credentials (401)', false, 401, undefined],
    ['/teapot', 'URL answered 418', false, 418, undefined],
    ['/broken', 'URL answered 500', true, 500, undefined],
    ['/busy', 'URL answered 429 and asks to come back in 7 s', true, 429, 7_000],
    ['/long', 'URL answered 503 and asks to come back in 86400 s', false, 503, 86_400_000],
    ['/not-gzip', 'URL is not in the coding that its headers name', false, undefined, undefined],
    ['/cut', 'URL breaks off before its end', true, undefined, undefined],
    ['/odd', 'URL is sent in a coding that was not asked for (zstd)', false, undefined, undefined],
    ['/bomb', 'URL unfolds to more than 100 times what was sent', false, undefined, undefined],
  ])('says what is wrong with %s', async (path, ...expected) => {
    expect(await failure(path)).toEqual(expected);
  });

  it('keeps to a date to come back at', async () => {
    const [, retryable, , wait] = (await failure('/down')) as [string, boolean, number, number];
    expect(retryable).toBe(true);
    expect(wait).toBeGreaterThan(90_000);
    expect(wait).toBeLessThanOrEqual(100_000);
  });

  it.each(['/large', '/chunked', '/bomb'])('reads no more of %s than it may', async (path) => {
    const expected = ['URL is larger than 4000 bytes', false, undefined, undefined];
    expect(await failure(path, { maxBytes: 4_000 })).toEqual(expected);
  });

  it.each(['/never', '/stall'])('gives %s its time and no more', async (path) => {
    const expected = ['URL did not answer within 0.2 s', true, undefined, undefined];
    expect(await failure(path, {}, { timeoutMs: 200 })).toEqual(expected);
  });

  it('reaches no private address, by itself or by a redirect', async () => {
    const network = { allowPrivateNetworks: false };
    const refused =
      'The host 127.0.0.1 is on a private or reserved network; ALLOW_PRIVATE_NETWORKS allows private and loopback ones: http://127.0.0.1/page';
    const asked = client({ network }).get('http://127.0.0.1/page', { maxBytes: 1 });
    await expect(asked).rejects.toMatchObject({ message: refused, retryable: false });
    site.put({
      '/inward': (_, response) =>
        void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    });
    expect(await failure('/inward')).toEqual([
      'The host 169.254.169.254 is on a private or reserved network: URL',
      false,
      undefined,
      undefined,
    ]);
  });

  it('tries again what no address was found for or nobody answers at', async () => {
    const nowhere = client().get('http://nowhere.invalid/', { maxBytes: 1 });
    await expect(nowhere).rejects.toMatchObject({
      retryable: true,
      details: { url: 'http://nowhere.invalid/' },
    });
    const closed = client().get('http://127.0.0.1:1/', { maxBytes: 1 });
    await expect(closed).rejects.toMatchObject({
      retryable: true,
      details: { reason: 'ECONNREFUSED' },
    });
  });

  it('throws the reason of the signal once that is aborted, while it waits too', async () => {
    const stop = new AbortController();
    const asked = get('/stall', {}, { signal: stop.signal });
    const seen = asked.then(
      () => undefined,
      (error: unknown) => error,
    );
    setTimeout(() => stop.abort(new Error('enough')), 50);
    expect(await seen).toBe(stop.signal.reason);
    await expect(get('/page', {}, { signal: stop.signal })).rejects.toBe(stop.signal.reason);
  });

  it('hands a document on while it arrives, and ends it when it is discarded', async () => {
    const answer = await client().stream(site.url('/stall'), { maxBytes: 1_000 });
    if (answer.kind !== 'document') throw new Error('unreachable');
    for await (const part of answer.body) {
      expect(Buffer.from(part).toString()).toBe('begun');
      break;
    }
    answer.discard();
  });
});
