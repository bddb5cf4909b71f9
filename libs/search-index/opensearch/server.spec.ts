import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SearchServer } from './server.js';
import { BULK_DEFAULTS, BulkWriter } from './write/bulk-writer.js';

const UNAVAILABLE = expect.objectContaining({
  code: 'engine_unavailable',
  retryAfter: expect.any(Number),
});

describe('an OpenSearch server', () => {
  let http: Server;
  let server: SearchServer;
  let answer: (body: string, response: ServerResponse) => void;

  beforeEach(async () => {
    http = createServer((request, response) => {
      void textOf(request).then((body) => answer(body, response));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    server = new SearchServer(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, 300);
  });
  afterEach(async () => {
    await server.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  const search = (): Promise<readonly object[]> =>
    server.searches('chunks', [{ routing: ['t'], body: {} }]);

  describe('that does not answer completely and in time is unavailable, never empty', () => {
    const hits = {
      hits: { hits: [] },
      _shards: { total: 2, failed: 0 },
      timed_out: false,
      status: 200,
    };
    const partial: readonly (readonly [string, object])[] = [
      ['a shard failed', { ...hits, _shards: { total: 2, failed: 1 } }],
      ['time ran out', { ...hits, timed_out: true }],
      [
        'no shard is available',
        { status: 503, error: { type: 'search_phase_execution_exception' } },
      ],
      ['it is overloaded', { status: 429, error: { type: 'rejected_execution_exception' } }],
      ['the index is gone', { status: 404, error: { type: 'index_not_found_exception' } }],
    ];

    it.each(partial)('%s', async (_, body) => {
      answer = (_request, response) => json(response, 200, { responses: [body] });
      await expect(search()).rejects.toEqual(UNAVAILABLE);
      answer = (_request, response) => json(response, 200, { responses: [hits] });
      expect(await search()).toEqual([hits]);
    });

    it.each([429, 500, 502, 503, 401, 403])('it answers %i', async (status) => {
      answer = (_, response) => json(response, status, { error: { type: 'some_exception' } });
      await expect(search()).rejects.toEqual(UNAVAILABLE);
    });

    it('it hangs, or closes the connection', async () => {
      answer = () => undefined;
      await expect(search()).rejects.toEqual(UNAVAILABLE);
      answer = (_, response) => response.destroy();
      await expect(search()).rejects.toEqual(UNAVAILABLE);
    });
  });

  it('that rejects a request is reported without the content of the request', async () => {
    const error = { type: 'parsing_exception', reason: 'secret words of a query' };
    answer = (_, response) => json(response, 400, { error });
    const refused: unknown = await search().catch((reason: unknown) => reason);
    expect(refused).toMatchObject({
      name: 'RefusedRequestError',
      status: 400,
      type: 'parsing_exception',
    });
    expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
  });

  describe('bulk writes', () => {
    const options = { ...BULK_DEFAULTS, retries: 2, retryDelayMs: 1 };
    let requests: string[][];

    beforeEach(() => {
      requests = [];
    });

    /** Answers each row by its id. */
    const answering =
      (statusOf: (id: string, request: number) => number) =>
      (body: string, response: ServerResponse): void => {
        const ids = body.split('\n').flatMap((line) => /"_id":"(\w+)"/.exec(line)?.[1] ?? []);
        requests.push(ids);
        const items = ids.map((id) => {
          const status = statusOf(id, requests.length);
          return { index: { status, ...(status >= 300 && { error: { type: 'an_exception' } }) } };
        });
        json(response, 200, { errors: items.some(({ index }) => index.status >= 300), items });
      };
    async function write(
      changes: Partial<typeof options>,
      ids: readonly string[],
      row: object = { a: 1 },
    ) {
      const bulk = new BulkWriter(server, 'chunks', 't', 7, { ...options, ...changes });
      for (const id of ids) await bulk.add({ id, row });
      await bulk.finish();
    }

    it('are cut by rows and by bytes', async () => {
      answer = answering(() => 201);
      await write({ maxRows: 2, inFlight: 1 }, ['a', 'b', 'c']);
      expect(requests).toEqual([['a', 'b'], ['c']]);
      requests = [];
      await write({ maxBytes: 300, inFlight: 1 }, ['a', 'b', 'c'], { text: 'x'.repeat(50) });
      expect(requests).toEqual([['a', 'b'], ['c']]);
      requests = [];
      await write({ maxBytes: 10, inFlight: 1 }, ['a', 'b']);
      expect(requests).toEqual([['a'], ['b']]);
    });

    it('are in flight a few at a time; callers wait', async () => {
      const held: (() => void)[] = [];
      answer = (body, response) => held.push(() => answering(() => 201)(body, response));
      const written = write({ maxRows: 1, inFlight: 2 }, ['a', 'b', 'c', 'd']);
      await waitUntil(() => held.length === 2);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(held).toHaveLength(2);
      while (requests.length < 4) {
        held.shift()?.();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await written;
    });

    it('repeat only the rows that were temporarily rejected', async () => {
      answer = answering((id, request) =>
        id === 'b' && request === 1 ? 429 : id === 'c' && request < 3 ? 503 : 201,
      );
      await write({}, ['a', 'b', 'c']);
      expect(requests).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
    });

    it('fail in the end as unavailable', async () => {
      answer = answering(() => 403);
      await expect(write({}, ['a'])).rejects.toEqual(UNAVAILABLE);
      expect(requests).toHaveLength(3);
    });

    it('that lose against a later change are not repeated', async () => {
      answer = answering(() => 409);
      await expect(write({}, ['a'])).rejects.toEqual(UNAVAILABLE);
      expect(requests).toHaveLength(1);
    });

    it('of a row that can never be accepted are reported', async () => {
      answer = answering(() => 400);
      await expect(write({}, ['a'])).rejects.toMatchObject({
        name: 'RefusedRequestError',
        status: 400,
      });
      expect(requests).toHaveLength(1);
    });
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
