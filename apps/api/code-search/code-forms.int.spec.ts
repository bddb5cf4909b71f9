import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CodeSearchResponseView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { httpClientOf } from '#test/support/api/http-client';
import { publish } from '#test/support/api/publish';
import { openStream, readFrames } from '#test/support/api/read-stream';
import { searchCharges } from '#test/support/api/search-charges';

import { quotaStream } from '../quota/quota-ledger.js';

const FILES = 300;
/** Enough text that a search reads several batches. */
const fileOf = (at: number) => ({
  path: `src/${String(at).padStart(3, '0')}.py`,
  content: `needle ${at}\n${`filler ${at}\n`.repeat(400)}end`,
});

describe('the forms of a code search', () => {
  let api: ApiHarness;
  let port: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    ({ port } = await httpClientOf(api));
    const files = Array.from({ length: FILES }, (_, at) => fileOf(at));
    await publish(api, files, { tenant: api.tenantA, name: 'Shop' });
    await publish(api, [{ path: 'b.py', content: 'canary needle' }], {
      tenant: api.tenantB,
      name: 'Theirs',
    });
  });
  afterAll(() => api.stop());

  const asText = (body: object) =>
    api.call('POST', '/search/code', body, { headers: { accept: 'text/plain' } });
  const open = (body: object, key = api.keyA) => openStream(port, '/search/code', { key, body });

  const lastReceipt = async () => {
    let id = '';
    for await (const event of api.store.read(quotaStream(api.tenantA, 'search')))
      if (event.type === 'QuotaConsumed') id = event.id;
    return id;
  };

  /** Replays a receipt. A busy machine may answer that it took too long; it is asked again then. */
  const replayOf = async (id: string) => {
    for (let tries = 0; ; tries += 1) {
      const path = `/receipts/${id}/replay`;
      const replay = await api.call<CodeSearchResponseView>('POST', path);
      if (replay.status !== 503 || tries === 20) return replay;
      await delay(500);
    }
  };

  it('as text has a line for each match and says whether it is complete', async () => {
    const { status, headers, text } = await asText({ pattern: 'needle 7', word: true });
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers['x-receipt-id']).toEqual(expect.any(String));
    expect(text.split('\n')).toEqual([
      '# Shop @commit-1',
      'src/007.py:1:needle 7',
      '# 1 lines in 1 files; complete',
      '',
    ]);
  });

  it('as text shows the lines around a match, the cursor, hints and paths', async () => {
    const around = await asText({ pattern: 'needle 7', word: true, context_lines: 1 });
    expect(around.text).toContain('src/007.py:1:needle 7\nsrc/007.py-2-filler 7\n');
    const cut = await asText({ pattern: 'needle', limit: 2 });
    const [, cursor] = /# 2 lines in 2 files; incomplete \(limit\); next_cursor (\S+)/.exec(
      cut.text,
    ) as unknown as string[];
    const next = await asText({ pattern: 'needle', limit: 1, cursor });
    expect(next.text).toContain('src/002.py:1:needle 2');
    expect((await asText({ pattern: 'absent|x' })).text).toContain('# hint: The pattern was');
    expect((await asText({ query: 'file:007' })).text).toContain('\nsrc/007.py\n');
    expect((await asText({ query: 'type:repo shop' })).text).toBe(
      '# Shop @commit-1\n# 1 sources; complete\n',
    );
  });

  describe('as long text', () => {
    const long = (body: object) => asText({ limit: 100_000, timeout_ms: 10_000, ...body });
    /** Returns the lines of documents; others name sources, counts and receipts. */
    const linesOf = (text: string) =>
      text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));

    it.each([
      ['lines', { pattern: 'needle' }],
      ['expressions', { pattern: 'needle \\d*7$', regex: true }],
      ['lines around matches', { pattern: 'needle 1', context_lines: 2 }],
      ['terms', { query: 'needle or end file:/7/' }],
      ['paths', { query: 'file:/07/' }],
      ['nothing', { pattern: 'canary' }],
    ])('has what shorter text has: %s', async (_, body) => {
      const short = await asText({ ...body, limit: 1_000, timeout_ms: 10_000 });
      const { status, headers, text } = await long(body);
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      const [, receipt = ''] = /# receipt (\S+)\n$/.exec(text) ?? [];
      expect(text).toBe(`${short.text}# receipt ${receipt}\n`);
      const replay = await replayOf(receipt);
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(replay.body).toMatchObject({ complete: true, files: [] });
      const [mine, theirs] = await Promise.all(
        [receipt, String(short.headers['x-receipt-id'])].map((id) =>
          api.call<{ code: object }>('GET', `/receipts/${id}`),
        ),
      );
      expect(mine?.body.code).toEqual(theirs?.body.code);
    });

    it('has more lines than other forms, up to its limit, and continues after it', async () => {
      const all = await long({ pattern: 'filler' });
      const [, cursor] =
        /# 100000 lines in 250 files; incomplete \(limit\); next_cursor (\S+)/.exec(
          all.text,
        ) as unknown as string[];
      const rest = await long({ pattern: 'filler', cursor });
      expect(rest.text).toContain('# 20000 lines in 50 files; complete');
      const found = [...linesOf(all.text), ...linesOf(rest.text)];
      expect(found).toHaveLength(120_000);
      expect(found.at(-1)).toBe('src/299.py:401:filler 299');
      expect(new Set(found).size).toBe(120_000);
      const cut = await long({ pattern: 'filler', limit: 1_001 });
      expect(linesOf(cut.text)).toEqual(found.slice(0, 1_001));
      const [, receipt = ''] = /# receipt (\S+)\n$/.exec(cut.text) ?? [];
      const replay = await replayOf(receipt);
      expect(replay.headers['x-replay-matches']).toBe('true');
    });

    it('is the only form with more than 1,000 lines, unless tokens bound them', async () => {
      const call = (body: object) =>
        api.call('POST', '/search/code', { pattern: 'needle', ...body });
      expect((await call({ limit: 1_000 })).status).toBe(200);
      expect((await call({ limit: 1_001, max_tokens: 500 })).status).toBe(200);
      const json = await call({ limit: 1_001 });
      expect([json.status, json.text]).toEqual([400, expect.stringContaining('text/plain')]);
      const stream = await open({ pattern: 'needle', limit: 1_001 });
      expect(stream.statusCode).toBe(400);
      stream.resume();
      expect((await long({ pattern: 'needle', limit: 100_001 })).status).toBe(400);
    });

    it('rejects a bad pattern with its status, and lists sources', async () => {
      expect((await long({ pattern: 'a(b', regex: true })).status).toBe(400);
      expect((await long({ query: 'type:repo shop' })).text).toMatch(
        /^# Shop @commit-1\n# 1 sources; complete\n# receipt \S+\n$/,
      );
    });

    it('charges and receipts what a client received that leaves early', async () => {
      const before = await searchCharges(api, api.tenantA);
      const body = { pattern: 'filler', limit: 100_000, timeout_ms: 10_000 };
      const response = await openStream(port, '/search/code', {
        key: api.keyA,
        body,
        headers: { accept: 'text/plain' },
      });
      await once(response, 'data');
      response.destroy();
      while ((await searchCharges(api, api.tenantA)) === before) await delay(10);
      const replay = await replayOf(await lastReceipt());
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(replay.body.count).toBeGreaterThan(0);
    });
  });

  it('as a stream has each file as it is found, then the rest and the receipt', async () => {
    const request = { pattern: 'needle', limit: 1_000 };
    const whole = await api.call<CodeSearchResponseView>('POST', '/search/code', request);
    const response = await open(request);
    expect(response.headers['content-type']).toBe('text/event-stream');
    const frames = await readFrames(response);
    const files = frames.filter(({ event }) => event === 'file').map(({ data }) => data);
    expect(files).toEqual(whole.body.files);
    const end = frames.at(-1);
    expect(frames.map(({ event }) => event).lastIndexOf('file')).toBe(FILES - 1);
    expect(end?.event).toBe('done');
    const { query, count, complete, documents_examined, left_out } = whole.body;
    const rest = { query, count, complete, documents_examined, left_out };
    expect(end?.data).toMatchObject(rest);
    expect(end?.data['files']).toBeUndefined();
    const id = String(end?.data['receipt_id']);
    const replay = await replayOf(id);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.files).toEqual(files);
  });

  it('as a stream has an end alone without matches, and shows no other tenant', async () => {
    const [end, ...more] = await readFrames(await open({ pattern: 'canary' }));
    expect(more).toEqual([]);
    expect(end).toMatchObject({ event: 'done', data: { count: 0, complete: true } });
  });

  it('as a stream rejects a bad pattern with its status', async () => {
    const response = await open({ pattern: 'a(b', regex: true });
    expect(response.statusCode).toBe(400);
    response.resume();
  });

  it('charges and receipts what a client received that leaves early', async () => {
    const before = await searchCharges(api, api.tenantA);
    const response = await open({ pattern: 'filler', limit: 1_000, timeout_ms: 10_000 });
    await readFrames(response, 1);
    response.destroy();
    while ((await searchCharges(api, api.tenantA)) === before) await delay(10);
    const replay = await replayOf(await lastReceipt());
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.count).toBeGreaterThan(0);
  });
});
