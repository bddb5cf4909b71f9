import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  AuditEventList,
  CreatedWebhookView,
  RotatedSecretView,
  WebhookDeliveryList,
  WebhookEventView,
  WebhookList,
  WebhookView,
} from '#contracts/http/index';
import { systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { readLog } from '#test/support/read-log';

const BODY = { name: 'SIEM', url: 'https://siem.example.com/hook/t0ken' };
const START = Date.parse('2026-03-01T10:20:00.000Z');

describe('/webhooks', () => {
  let api: ApiHarness;
  let now = START;
  beforeAll(async () => {
    const clock = { ...systemClock, now: () => new Date(now) };
    api = await ApiHarness.start({ clock, environment: { WEBHOOKS_PER_TENANT: '3' } });
  });
  afterAll(() => api.stop());

  const create = async (body: object = BODY, key = api.keyA, headers = {}) =>
    api.call<CreatedWebhookView>('POST', '/webhooks', body, { key, headers });
  const remove = (id: string) => api.call('DELETE', `/webhooks/${id}`);

  it('creates, lists, changes and deletes endpoints, each in its tenant alone', async () => {
    const { status, body } = await create({ ...BODY, types: ['PolicyUpdated', 'PolicyUpdated'] });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        ...BODY,
        types: ['PolicyUpdated'],
        status: 'enabled',
        disabled_reason: null,
        created_at: new Date(now).toISOString(),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const view: Partial<CreatedWebhookView> = { ...body };
    delete view.secret;
    const path = `/webhooks/${body.id}`;
    expect((await api.call<WebhookView>('GET', path)).body).toEqual(view);
    expect((await api.call<WebhookList>('GET', '/webhooks')).body).toEqual({
      webhooks: [view],
      total: 1,
    });
    const key = api.keyB;
    expect((await api.call('GET', '/webhooks', undefined, { key })).body).toMatchObject({
      total: 0,
    });
    for (const [method, url] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['POST', `${path}/rotate-secret`],
      ['GET', `${path}/deliveries`],
    ] as const) {
      const foreign = await api.call(method, url, undefined, { key });
      expect([foreign.status, foreign.body['code']]).toEqual([404, 'webhook_not_found']);
    }
    const changes = { types: null, enabled: false, url: 'https://other.example.com/' };
    const { types, url } = changes;
    const expected = { ...view, types, url, status: 'disabled', disabled_reason: 'requested' };
    expect((await api.call('PATCH', path, changes)).body).toEqual(expected);
    const before = (await readLog(api.store)).length;
    expect((await api.call('PATCH', path, changes)).body).toEqual(expected);
    expect(await readLog(api.store)).toHaveLength(before);
    expect((await api.call('PATCH', path, { enabled: true })).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    });
    expect((await remove(body.id)).status).toBe(204);
    expect((await api.call('GET', path)).status).toBe(404);
  });

  it('shows a secret once and stores neither it nor the URL in the clear', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await create(BODY, api.keyA, headers);
    const again = await create(BODY, api.keyA, headers);
    expect(again.body.id).toBe(first.body.id);
    expect(again.body).not.toHaveProperty('secret');
    const path = `/webhooks/${first.body.id}`;
    const rotated = await api.call<RotatedSecretView>('POST', `${path}/rotate-secret`);
    expect(rotated.body).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_until: new Date(now + 24 * 3_600_000).toISOString(),
    });
    const log = JSON.stringify((await readLog(api.store)).map(({ data }) => data));
    for (const text of [String(first.body.secret), rotated.body.secret, 't0ken'])
      expect(log.includes(text)).toBe(false);
    const feed = await api.call('GET', '/events?types=WebhookCreated,WebhookSecretRotated');
    expect(feed.text).not.toMatch(/"(secret|url)"/);
    await remove(first.body.id);
  });

  it('limits the endpoints of a tenant, also of simultaneous requests', async () => {
    const created = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    const refused = created.find(({ status }) => status === 409);
    expect((refused?.body as unknown as { code: string }).code).toBe('webhook_limit_reached');
    expect((await create(BODY, api.keyB)).status).toBe(201);
    for (const { status, body } of created) if (status === 201) await remove(body.id);
  });

  it.each([
    ['url', { url: 'http://siem.example.com/' }],
    ['url', { url: 'https://user:word@siem.example.com/' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://10.1.2.3/' }],
    ['url', { url: 'https://siem.example.com:8443/' }],
    ['url', { url: 'https://siem.example.com/#x' }],
    ['url', { url: 'siem' }],
    ['url', { url: `https://siem.example.com/${'x'.repeat(2_048)}` }],
    ['name', { name: '' }],
    ['types', { types: [] }],
    ['types', { types: ['Unknown'] }],
    ['types', { types: ['WebhookDelivered'] }],
  ])('rejects an invalid %s: %j', async (field, changes) => {
    const { status, text } = await create({ ...BODY, ...changes });
    expect(status).toBe(400);
    expect(text).toContain(`"${field}"`);
  });

  it('accepts the longest URL and the longest name', async () => {
    const url = `https://siem.example.com/${'x'.repeat(2_048 - 25)}`;
    const { status, body } = await create({ name: 'n'.repeat(100), url });
    expect([status, body.url]).toEqual([201, url]);
    await remove(body.id);
  });

  it('queues tests and redeliveries as events of the tenant', async () => {
    const { body: webhook } = await create();
    const path = `/webhooks/${webhook.id}`;
    const test = await api.call<WebhookEventView>('POST', `${path}/test`);
    expect(test.status).toBe(202);
    const log = await readLog(api.store);
    expect(log.find(({ id }) => id === test.body.event_id)?.type).toBe('WebhookTestRequested');
    const redeliver = (id: string) => api.call('POST', `${path}/deliveries/${id}/redeliver`);
    const again = await redeliver(test.body.event_id);
    expect([again.status, again.body]).toEqual([202, test.body]);
    const foreign = log.find(({ metadata }) => metadata.tenant_id === api.tenantB)?.id ?? '';
    for (const id of [foreign, 'x']) {
      const refused = await redeliver(id);
      expect([refused.status, refused.body['code']]).toEqual([404, 'audit_event_not_found']);
    }
    await remove(webhook.id);
  });

  it('lists attempts of seven days, newest first, page by page', async () => {
    const { body: webhook } = await create();
    const stream = `webhookdeliveries-${webhook.id}` as const;
    const attempt = (seq: number) => ({
      seq,
      event_id: 'e',
      event_type: 'PolicyUpdated',
      attempt: 1,
      status_code: 200,
      at: new Date(now).toISOString(),
    });
    const deliver = (seq: number, at: number) =>
      api.appendAt(new Date(at), api.tenantA, stream, {
        type: 'WebhookDelivered',
        data: { webhook_id: webhook.id, deliveries: [attempt(seq), attempt(seq + 1)] },
      });
    await deliver(0, now);
    now += 7 * 24 * 3_600_000 + 1;
    for (let seq = 2; seq < 24; seq += 2) await deliver(seq, now);
    await api.appendAt(new Date(now), api.tenantA, stream, {
      type: 'WebhookDeliveryFailed',
      data: {
        webhook_id: webhook.id,
        delivery: { ...attempt(24), status_code: 503 },
        failure: 'status',
        retry_at: new Date(now + 5_000).toISOString(),
      },
    });
    const seqs: number[] = [];
    let pages = 0;
    for (let before = ''; ; pages += 1) {
      const url = `/webhooks/${webhook.id}/deliveries${before}`;
      const { body } = await api.call<WebhookDeliveryList>('GET', url);
      seqs.push(...body.deliveries.map(({ seq }) => seq));
      if (pages === 0)
        expect(body.deliveries[0]).toMatchObject({ status: 'failed', status_code: 503 });
      if (body.next === null) break;
      before = `?before=${body.next}`;
    }
    expect(seqs).toEqual(Array.from({ length: 23 }, (_, index) => 24 - index));
    expect(pages).toBe(1);
  });

  it('expires each attempt after seven days, and keeps its event in the trail', async () => {
    const { body: webhook } = await create();
    const first = now;
    const attempt = (seq: number) => ({
      seq,
      event_id: 'e',
      event_type: 'PolicyUpdated',
      attempt: 1,
      status_code: 200,
      at: new Date(first + seq).toISOString(),
    });
    await api.appendAt(new Date(first + 1), api.tenantA, `webhookdeliveries-${webhook.id}`, {
      type: 'WebhookDelivered',
      data: { webhook_id: webhook.id, deliveries: [attempt(0), attempt(1)] },
    });
    const shown: (readonly number[])[] = [];
    for (const age of [0, 1, 2]) {
      now = first + 7 * 24 * 3_600_000 + age;
      const { body } = await api.call<WebhookDeliveryList>(
        'GET',
        `/webhooks/${webhook.id}/deliveries`,
      );
      shown.push(body.deliveries.map(({ seq }) => seq));
    }
    expect(shown).toEqual([[1, 0], [1], []]);
    const { body: trail } = await api.call<AuditEventList>(
      'GET',
      `/audit/events?target_type=webhook&target_id=${webhook.id}&action=webhook.*`,
    );
    expect(trail.events.map(({ type }) => type)).toContain('WebhookDelivered');
  });
});
