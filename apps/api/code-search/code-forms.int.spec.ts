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

  it('as a stream has each file as it is found and ends with the rest and the receipt', async () => {
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
    const replay = await api.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
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
    const id = await lastReceipt();
    const path = `/receipts/${id}/replay`;
    const replay = await api.call<CodeSearchResponseView>('POST', path);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.count).toBeGreaterThan(0);
  });
});
