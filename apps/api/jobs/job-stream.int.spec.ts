import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { JobEvent } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';
import { openStream, readFrames } from '#test/support/api/read-stream';

describe('the stream of a job', () => {
  let api: ApiHarness;
  let port: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
    port = (api.app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(() => api.stop());

  const open = (jobId: string, headers: Record<string, string> = {}) =>
    openStream(port, `/jobs/${jobId}/stream`, { key: api.keyA, headers });

  async function startJob(): Promise<{ job_id: string; source_id: string }> {
    const source_id = await api.createSource();
    const { body } = await api.call<{ job_id: string }>('POST', `/sources/${source_id}/sync`);
    return { job_id: body.job_id, source_id };
  }

  const started = (job_id: string): JobEvent => ({
    type: 'JobStageStarted',
    data: { job_id, stage: 'fetch', attempt: 1, worker: 'w' },
  });
  const progressed = (job_id: string, percent: number): JobEvent => ({
    type: 'JobProgressed',
    data: {
      job_id,
      stage: 'fetch',
      attempt: 1,
      progress_percent: percent,
      progress_message: 'Fetching',
      stage_details: { files_fetched: percent },
    },
  });
  const failed = (job_id: string, source_id: string): JobEvent => ({
    type: 'JobFailed',
    data: { job_id, source_id, error_message: 'No such branch', error_details: null },
  });

  it('follows the job live and ends with it', async () => {
    const { job_id, source_id } = await startJob();
    const response = await open(job_id);
    expect(response.headers['content-type']).toContain('text/event-stream');
    const reading = readFrames(response);
    await api.append(api.tenantA, `job-${job_id}`, started(job_id));
    await api.append(api.tenantA, `job-${job_id}`, progressed(job_id, 12), progressed(job_id, 20));
    await api.append(api.tenantA, `job-${job_id}`, failed(job_id, source_id));
    const seen = await reading;
    expect(seen.map(({ event, id }) => [event, id])).toEqual([
      ['progress', '0'],
      ['progress', '1'],
      ['progress', '2'],
      ['progress', '3'],
      ['done', '4'],
    ]);
    expect(seen[2]?.data).toMatchObject({
      job_id,
      status: 'running',
      stage: 'fetch',
      progress_percent: 12,
    });
    expect(seen[4]?.data).toMatchObject({ status: 'failed', error_message: 'No such branch' });
  });

  it('resumes after Last-Event-ID without loss or repeat', async () => {
    const { job_id, source_id } = await startJob();
    await api.append(api.tenantA, `job-${job_id}`, started(job_id), progressed(job_id, 11));
    const first = await open(job_id);
    const before = await readFrames(first, 2);
    first.destroy();
    await api.append(
      api.tenantA,
      `job-${job_id}`,
      progressed(job_id, 15),
      failed(job_id, source_id),
    );
    const last = before.at(-1)?.id ?? '';
    const after = await readFrames(await open(job_id, { 'last-event-id': last }));
    const ids = [...before, ...after].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(after.at(-1)).toMatchObject({ event: 'done', id: '4' });
    expect(before.length + after.length).toBe(5);
  });

  it('of a finished job replays and closes; a wrong Last-Event-ID is refused', async () => {
    const { job_id, source_id } = await startJob();
    await api.append(api.tenantA, `job-${job_id}`, failed(job_id, source_id));
    expect((await readFrames(await open(job_id))).map(({ event }) => event)).toEqual([
      'progress',
      'done',
    ]);
    expect(await readFrames(await open(job_id, { 'last-event-id': '1' }))).toEqual([]);
    expect((await open(job_id, { 'last-event-id': 'x' })).statusCode).toBe(400);
  });

  it('gives its slot back when the client goes away', async () => {
    const { job_id } = await startJob();
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all(Array.from({ length: 40 }, () => open(job_id)));
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(
        Array.from({ length: 40 }, () => 200),
      );
      for (const response of responses) response.destroy();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  it('gives its slot back when the client goes away before it was answered', async () => {
    const { job_id } = await startJob();
    const read = api.store.read.bind(api.store);
    const held = Promise.withResolvers<void>();
    let reading = 0;
    api.store.read = async function* (...how) {
      reading += 1;
      await held.promise;
      yield* read(...how);
    };
    const requests = Array.from({ length: 50 }, () => {
      const headers = { authorization: `Bearer ${api.keyA}` };
      return get({ port, path: `/jobs/${job_id}/stream`, headers }).on('error', () => undefined);
    });
    while (reading < requests.length) await delay(10);
    for (const request of requests) request.destroy();
    await delay(100);
    held.resolve();
    api.store.read = read;
    await delay(200);
    const response = await open(job_id);
    expect(response.statusCode).toBe(200);
    response.destroy();
  });

  it.each([
    ['is revoked', () => ({}), (id: string) => api.call('DELETE', `/keys/${id}`)],
    [
      'expires',
      () => ({ expires_at: new Date(Date.now() + 1_500).toISOString() }),
      () => undefined,
    ],
  ])('ends when its key %s', async (_, life, end) => {
    const { job_id } = await startJob();
    const { body } = await api.call<{ id: string; key: string }>('POST', '/keys', {
      name: 'stream',
      ...life(),
    });
    const response = await open(job_id, { authorization: `Bearer ${body.key}` });
    expect(response.statusCode).toBe(200);
    const reading = readFrames(response);
    await end(body.id);
    const seen = await reading;
    expect(seen.map(({ event }) => event)).toEqual(['progress', 'error']);
    expect(seen.at(-1)?.data).toMatchObject({ code: 'unauthorized' });
  });

  it('ends with an error when the process shuts down', async () => {
    const own = await ApiHarness.start();
    await own.app.listen(0, '127.0.0.1');
    const source = await own.createSource();
    const { body } = await own.call<{ job_id: string }>('POST', `/sources/${source}/sync`);
    const request = get({
      port: (own.app.getHttpServer().address() as AddressInfo).port,
      path: `/jobs/${body.job_id}/stream`,
      headers: { authorization: `Bearer ${own.keyA}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const reading = readFrames(response);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    await own.stop();
    expect(performance.now() - began).toBeLessThan(4_000);
    expect((await reading).at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'shutting_down' },
    });
  });
});
