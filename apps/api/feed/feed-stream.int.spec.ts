import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { FeedEventPage } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { httpClientOf } from '#test/support/api/http-client';
import { openStream, readFrames } from '#test/support/api/read-stream';
import { readLog } from '#test/support/read-log';

describe('the event stream of GET /events', () => {
  let api: ApiHarness;
  let port: number;
  let subscriptions: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    ({ port } = await httpClientOf(api));
    const subscribe = api.store.subscribe.bind(api.store);
    subscriptions = 0;
    api.store.subscribe = async function* (options) {
      // Feeds alone follow all types.
      const isFeed = options.filter === undefined;
      if (isFeed) subscriptions += 1;
      try {
        yield* subscribe(options);
      } finally {
        if (isFeed) subscriptions -= 1;
      }
    };
  });
  afterAll(() => api.stop());

  const open = (query = '', headers: Record<string, string> = {}, key = api.keyA) =>
    openStream(port, `/events${query}`, { key, headers });
  const change = async (seconds: number, key = api.keyA) => {
    const body = { staleness_budget_seconds: seconds };
    expect((await api.call('PUT', '/policy', body, { key })).status).toBe(200);
  };
  const lastSeq = async (key = api.keyA): Promise<number> => {
    for (let after = ''; ;) {
      const page = await api.call<FeedEventPage>('GET', `/events?limit=100${after}`, undefined, {
        key,
      });
      if (!page.body.has_more) return page.body.next ?? -1;
      after = `&after=${page.body.next}`;
    }
  };
  const untilClosed = async () => {
    while (subscriptions > 0) await delay(10);
  };

  it('sends history and then each new event of the tenant, with its seq as id', async () => {
    await change(7_200);
    const response = await open('?types=PolicyUpdated');
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.headers['cache-control']).toContain('no-store');
    const reading = readFrames(response, 3);
    await change(60, api.keyB);
    await change(3_600);
    await change(1_800);
    const frames = await reading;
    expect(frames.map(({ data }) => data)).toMatchObject(
      [7_200, 3_600, 1_800].map((staleness_budget_seconds) => ({
        type: 'PolicyUpdated',
        tenantid: api.tenantA,
        data: { changes: { staleness_budget_seconds } },
      })),
    );
    expect(frames.map(({ id }) => Number(id))).toEqual(
      frames.map(({ data }) => Number(data['sequence'])),
    );
    await untilClosed();
  });

  it('resumes after Last-Event-ID without loss or repeat, whatever `after` says', async () => {
    const from = await lastSeq();
    for (let seconds = 100; seconds < 180; seconds += 1) await change(seconds);
    const first = await readFrames(await open(`?after=${from}&types=PolicyUpdated`), 30);
    const rest = await readFrames(
      await open(`?after=0&types=PolicyUpdated`, { 'last-event-id': first.at(-1)?.id ?? '' }),
      80 - first.length,
    );
    const values = [...first, ...rest].map(
      ({ data }) =>
        (data as { data: { changes: { staleness_budget_seconds: number } } }).data.changes
          .staleness_budget_seconds,
    );
    expect(values).toEqual(Array.from({ length: 80 }, (_, index) => 100 + index));
  });

  it('follows the log once for all streams, and not at all without one', async () => {
    await untilClosed();
    const after = await lastSeq();
    const afterB = await lastSeq(api.keyB);
    const responses: IncomingMessage[] = [];
    for (let each = 0; each < 5; each += 1) {
      responses.push(await open(`?after=${after}&types=PolicyUpdated`));
      responses.push(await open(`?after=${afterB}&types=PolicyUpdated`, {}, api.keyB));
    }
    const reading = responses.map((response) => readFrames(response, 1));
    await change(500);
    await change(501, api.keyB);
    expect(subscriptions).toBe(1);
    const frames = await Promise.all(reading);
    expect(new Set(frames.map(([frame]) => frame?.data['tenantid']))).toEqual(
      new Set([api.tenantA, api.tenantB]),
    );
    await untilClosed();
  });

  it('ends with an error when its key is revoked', async () => {
    const key = { name: 'feed', scopes: ['audit', 'write'] };
    const { body } = await api.call<{ id: string; key: string }>('POST', '/keys', key);
    const response = await open(`?after=${await lastSeq()}`, {}, body.key);
    const reading = readFrames(response);
    await api.call('DELETE', `/keys/${body.id}`);
    const frames = await reading;
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { code: 'unauthorized' } });
  });

  it('records its start and its end, and nothing else however long it is read', async () => {
    const all = async (type: string) =>
      (await readLog(api.store)).filter((event) => event.type === type);
    const started = (await all('AuditExportStarted')).length;
    const ended = (await all('AuditExportEnded')).length;
    const from = await lastSeq();
    const response = await open(`?after=${from}`);
    const frames = readFrames(response, 4);
    for (const seconds of [600, 601, 602]) await change(seconds);
    expect((await frames).map(({ data }) => data['type'])).toEqual([
      'AuditExportStarted',
      ...Array.from({ length: 3 }, () => 'PolicyUpdated'),
    ]);
    await untilClosed();
    while ((await all('AuditExportEnded')).length === ended) await delay(10);
    expect((await all('AuditExportEnded')).at(-1)?.data).toMatchObject({ end: 'client_aborted' });
    expect(await all('AuditExportStarted')).toHaveLength(started + 1);
  });

  it('rejects a Last-Event-ID that no feed has, and unknown types', async () => {
    expect((await open('', { 'last-event-id': '1x' })).statusCode).toBe(400);
    expect((await open('?types=Unknown')).statusCode).toBe(400);
  });

  it('returns a page to clients that accept anything', async () => {
    const response = await open('?limit=1', { accept: '*/*' });
    expect(response.headers['content-type']).toContain('application/json');
    response.destroy();
  });
});
