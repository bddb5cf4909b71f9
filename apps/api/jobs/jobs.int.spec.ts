import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { JobView, SyncAccepted } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';

const HASH = 'b'.repeat(64);

describe('syncs and jobs', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  const sync = (id: string, headers: Record<string, string> = {}) =>
    api.call<SyncAccepted & { code: string }>('POST', `/sources/${id}/sync`, undefined, {
      headers,
    });

  /** Ends a job as the pipeline would. */
  const complete = (source_id: string, job_id: string, generation = 1) =>
    api.append(api.tenantA, `job-${job_id}`, {
      type: 'JobCompleted',
      data: {
        job_id,
        source_id,
        generation,
        manifest: HASH,
        version_ref: 'c1',
        file_count: 1,
        chunk_count: 1,
        files_processed: 1,
        chunks_created: 1,
        chunks_updated: 0,
        chunks_deleted: 0,
      },
    });

  it('start pending, show at once, and leave the source syncing', async () => {
    const id = await api.createSource('Flask');
    const started = await sync(id);
    expect(started).toMatchObject({
      status: 200,
      body: { source_id: id, message: 'Sync of Flask started' },
    });
    const job = await api.call('GET', `/jobs/${started.body.job_id}`);
    expect(job).toMatchObject({
      status: 200,
      body: {
        status: 'pending',
        stage: 'queued',
        progress_percent: 0,
        started_at: null,
        error_message: null,
      },
    });
    expect((await api.call('GET', `/sources/${id}`)).body).toMatchObject({
      status: 'syncing',
      last_job_id: started.body.job_id,
    });
    const listed = await api.call<{ jobs: JobView[] }>(
      'GET',
      `/jobs?source_id=${id}&status=pending`,
    );
    expect(listed.body).toEqual({ jobs: [job.body], total: 1 });
  });

  it('of one source run one at a time: of 50 simultaneous requests one starts', async () => {
    const id = await api.createSource();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sync(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(
      ({ status, body }) => status === 409 && body.code === 'sync_in_progress',
    );
    expect(refused).toHaveLength(49);
    expect((await api.call('GET', `/jobs?source_id=${id}`)).body).toMatchObject({ total: 1 });
  });

  it('start from what the last one published', async () => {
    const id = await api.createSource();
    const first = await sync(id);
    await complete(id, first.body.job_id);
    const second = await sync(id);
    expect(second.status).toBe(200);
    const requested: unknown[] = [];
    for await (const event of api.store.read(`job-${second.body.job_id}`))
      requested.push(event.data);
    expect(requested[0]).toMatchObject({
      generation: 2,
      base: { generation: 1, manifest: HASH, version_ref: 'c1' },
      max_retries: 3,
      source_revision: 0,
    });
  });

  it('are repeated by their Idempotency-Key without starting twice', async () => {
    const id = await api.createSource();
    const twins = await Promise.all(
      Array.from({ length: 10 }, () => sync(id, { 'idempotency-key': 'once' })),
    );
    expect(new Set(twins.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    const job = twins[0]?.body.job_id ?? '';
    await complete(id, job);
    expect((await sync(id, { 'idempotency-key': 'once' })).text).toBe(twins[0]?.text);
    expect((await api.call('GET', `/jobs?source_id=${id}`)).body).toMatchObject({ total: 1 });
    expect((await sync(id, { 'idempotency-key': 'twice' })).body.job_id).not.toBe(job);
  });

  it('are cancelled while open, stay so, and cannot be once they ended', async () => {
    const id = await api.createSource();
    const { body } = await sync(id);
    const cancelled = await api.call('POST', `/jobs/${body.job_id}/cancel`);
    expect(cancelled).toMatchObject({
      status: 200,
      body: { id: body.job_id, status: 'cancelled' },
    });
    expect((await api.call('POST', `/jobs/${body.job_id}/cancel`)).body).toEqual(cancelled.body);
    expect((await api.call('GET', `/sources/${id}`)).body).toMatchObject({ status: 'pending' });
    const next = await sync(id);
    await complete(id, next.body.job_id);
    const late = await api.call('POST', `/jobs/${next.body.job_id}/cancel`);
    expect(late).toMatchObject({ status: 409, body: { code: 'job_finished' } });
  });

  it('are cancelled when their source is deleted', async () => {
    const id = await api.createSource();
    const { body } = await sync(id);
    expect((await api.call('DELETE', `/sources/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/jobs/${body.job_id}`)).body).toMatchObject({
      status: 'cancelled',
    });
  });

  it('of another tenant answer as unknown ones', async () => {
    const id = await api.createSource();
    const { body } = await sync(id);
    for (const job of [body.job_id, unknownId(), 'nonsense']) {
      for (const [method, url] of [
        ['GET', `/jobs/${job}`],
        ['POST', `/jobs/${job}/cancel`],
        ['GET', `/jobs/${job}/stream`],
      ] as const) {
        const answer = await api.call(method, url, undefined, { key: api.keyB });
        expect([answer.status, answer.body['code']]).toEqual([404, 'job_not_found']);
      }
    }
    const listed = await api.call('GET', `/jobs?source_id=${id}`, undefined, { key: api.keyB });
    expect(listed.body).toEqual({ jobs: [], total: 0 });
    expect((await api.call('GET', `/jobs/${body.job_id}`)).body).toMatchObject({
      status: 'pending',
    });
  });

  it('answer from the decided state while the projection is late', async () => {
    const id = await api.createSource('Late');
    const { body } = await sync(id);
    const [cancelled, renamed] = await api.whileNothingIsProjected(() =>
      Promise.all([
        api.call('POST', `/jobs/${body.job_id}/cancel`),
        api.call('PATCH', `/sources/${id}`, { name: 'Renamed', branch: 'dev' }),
      ]),
    );
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Renamed', branch: 'dev' } });
  });

  it('and their sources are read from the log while the projections have not reached them', async () => {
    await api.whileNothingIsProjected(async () => {
      const id = await api.createSource('Unprojected');
      const { body: accepted } = await sync(id);
      const job = await api.call('GET', `/jobs/${accepted.job_id}`);
      expect(job).toMatchObject({ status: 200, body: { source_id: id, status: 'pending' } });
      expect(await api.call('GET', `/sources/${id}`)).toMatchObject({
        status: 200,
        body: { name: 'Unprojected', status: 'syncing', last_job_id: accepted.job_id },
      });
      for (const path of [`/jobs/${accepted.job_id}`, `/sources/${id}`])
        expect((await api.call('GET', path, undefined, { key: api.keyB })).status).toBe(404);
      const cancelled = await api.call('POST', `/jobs/${accepted.job_id}/cancel`);
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      expect((await api.call('GET', `/jobs/${accepted.job_id}`)).body).toEqual(cancelled.body);
      expect((await api.call('DELETE', `/sources/${id}`)).status).toBe(204);
      expect((await api.call('GET', `/sources/${id}`)).status).toBe(404);
    });
  });
});
