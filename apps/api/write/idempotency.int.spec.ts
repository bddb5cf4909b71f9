import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';

const DAY_MS = 24 * 3_600_000;
const BODY = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };

describe('an Idempotency-Key', () => {
  let api: ApiHarness;
  let now = Date.now();
  beforeAll(async () => {
    api = await ApiHarness.start({ clock: { ...systemClock, now: () => new Date(now) } });
  });
  afterAll(() => api.stop());

  const create = (key: string, body: object = BODY) =>
    api.call<{ id: string }>('POST', '/sources', body, { headers: { 'idempotency-key': key } });
  const sync = (id: string, key: string) =>
    api.call<{ job_id: string; code: string }>('POST', `/sources/${id}/sync`, undefined, {
      headers: { 'idempotency-key': key },
    });

  it('repeats for 24 hours to the millisecond, and is new afterwards, with the same body or another', async () => {
    const first = await create('daily');
    now += DAY_MS - 1;
    expect((await create('daily')).text).toBe(first.text);
    expect((await create('daily', { ...BODY, name: 'Other' })).status).toBe(409);
    now += 1;
    const second = await create('daily', { ...BODY, name: 'Other' });
    expect(second).toMatchObject({ status: 201, body: { name: 'Other' } });
    expect(second.body.id).not.toBe(first.body.id);
    expect((await create('daily')).status).toBe(409);
    now += DAY_MS;
    expect((await create('daily')).status).toBe(201);
  });

  it('starts one thing when twins come at the moment at which it has just expired', async () => {
    await create('weekly');
    now += 7 * DAY_MS;
    const twins = await Promise.all(Array.from({ length: 8 }, () => create('weekly')));
    expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(twins[0]?.status).toBe(201);
  });

  it('is that of the route, whatever its path names: with another id it is refused, also at the same moment', async () => {
    const [one, other] = [await api.createSource('One'), await api.createSource('Other')];
    const started = await sync(one, 'release');
    expect(started.status).toBe(200);
    expect(await sync(other, 'release')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await api.call('GET', `/sources/${other}`)).body).toMatchObject({ status: 'pending' });
    expect((await sync(one, 'release')).text).toBe(started.text);

    const [left, right] = [await api.createSource('Left'), await api.createSource('Right')];
    const both = await Promise.all([sync(left, 'race'), sync(right, 'race')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const jobs = await Promise.all(
      [left, right].map((id) => api.call('GET', `/jobs?source_id=${id}`)),
    );
    expect(jobs.map(({ body }) => body['total']).sort()).toEqual([0, 1]);
  });

  it('stands in the log by hashes alone', async () => {
    await create('a-key-to-look-for', { ...BODY, name: 'a-body-to-look-for' });
    const seen: string[] = [];
    const until = new AbortController();
    for await (const delivery of api.store.subscribe({
      after: 'start',
      filter: { categories: ['idempotency'] },
      signal: until.signal,
    })) {
      if (delivery.kind === 'caught-up') until.abort();
      if (delivery.kind === 'event')
        seen.push(JSON.stringify([delivery.event.stream, delivery.event.data]));
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.join('\n')).not.toMatch(/look-for|release|daily/);
  });
});
