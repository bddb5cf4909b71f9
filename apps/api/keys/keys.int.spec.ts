import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createTenantWithKey, issueFurtherKey } from '#apps/api/tenants/create-tenant';
import { PUBLIC_TENANT, SYSTEM_TENANT } from '#contracts';
import type { IssuedKeyView, KeyList } from '#contracts/http/index';
import { type Clock, newApiKeySecret } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { operatorRun } from '#test/support/operator-run';

import { KeyUsage } from '../auth/key-usage.js';

describe('API keys', () => {
  let api: ApiHarness;
  let now = new Date('2026-03-01T00:00:00.000Z');
  const clock: Clock = { now: () => now, monotonic: () => performance.now() };

  beforeAll(async () => {
    api = await ApiHarness.start({ clock });
  });
  afterAll(() => api.stop());

  const issue = (body: object, headers: Record<string, string> = {}, key = api.keyA) =>
    api.call<IssuedKeyView & { code: string }>('POST', '/keys', body, { headers, key });
  const statusWith = async (key: string, method = 'GET') =>
    (await api.call(method, '/sources', method === 'GET' ? undefined : {}, { key })).status;

  it('work from their first answer until they are revoked', async () => {
    const { status, body } = await issue({ name: 'ci' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'ci', scopes: ['read', 'write'], expires_at: null });
    expect(body.key).toMatch(/^fnt_[0-9A-Za-z]{43}$/);
    expect(body.key?.startsWith(body.prefix)).toBe(true);
    const key = body.key ?? '';
    expect(await statusWith(key)).toBe(200);
    const byHeader = await api.call('GET', '/sources', undefined, {
      key: null,
      headers: { 'x-api-key': key },
    });
    expect(byHeader.status).toBe(200);
    expect((await api.call('DELETE', `/keys/${body.id}`)).status).toBe(204);
    expect(await statusWith(key)).toBe(401);
    expect((await api.call('DELETE', `/keys/${body.id}`)).status).toBe(204);
  });

  it('are listed without their secrets', async () => {
    const { body } = await issue({ name: 'listed' });
    const { body: list, text } = await api.call<KeyList>('GET', '/keys?limit=1');
    expect(list.keys).toHaveLength(1);
    expect(list.keys[0]).toEqual({
      id: body.id,
      name: 'listed',
      prefix: body.prefix,
      scopes: ['read', 'write'],
      created_at: body.created_at,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    });
    expect(text).not.toContain(body.key);
    for await (const event of api.store.read(`apikey-${body.id}`))
      expect(JSON.stringify(event.data)).not.toContain(body.key);
  });

  it('show when they were used last, by an event an hour at most', async () => {
    const usage = api.app.get(KeyUsage);
    const { body } = await issue({ name: 'used', scopes: ['read'] });
    const lastUse = async () => {
      await usage.flush();
      const uses = [];
      for await (const event of api.store.read(`apikey-${body.id}`))
        if (event.type === 'ApiKeyUsed') uses.push(event);
      const last = uses.at(-1);
      if (last) await api.readModel.waitFor('api_keys', last.position, 2_000);
      const { keys } = (await api.call<KeyList>('GET', '/keys?limit=100')).body;
      return [uses.length, keys.find(({ id }) => id === body.id)?.last_used_at];
    };
    expect(await lastUse()).toEqual([0, null]);
    const began = now;
    for (let call = 0; call < 20; call += 1) expect(await statusWith(body.key ?? '')).toBe(200);
    expect(await lastUse()).toEqual([1, began.toISOString()]);
    now = new Date(began.getTime() + 59 * 60_000);
    await statusWith(body.key ?? '');
    // No event, and shown all the same by the process that saw it.
    expect(await lastUse()).toEqual([1, now.toISOString()]);
    now = new Date(began.getTime() + 60 * 60_000);
    await Promise.all(Array.from({ length: 20 }, () => statusWith(body.key ?? '')));
    expect(await lastUse()).toEqual([2, now.toISOString()]);
    now = began;
  });

  it('expire', async () => {
    const { body } = await issue({ name: 'short', expires_at: '2026-03-01T01:00:00+00:00' });
    expect(body.expires_at).toBe('2026-03-01T01:00:00.000Z');
    expect(await statusWith(body.key ?? '')).toBe(200);
    now = new Date('2026-03-01T01:00:00.000Z');
    expect(await statusWith(body.key ?? '')).toBe(401);
    expect((await issue({ name: 'past', expires_at: '2026-03-01T00:30:00Z' })).status).toBe(400);
    // In UTC it lies in the year 10000, which no event takes.
    const late = await issue({ name: 'late', expires_at: '9999-12-31T23:59:59-05:00' });
    expect(late).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await issue({ name: 'last', expires_at: '9999-12-31T23:59:59Z' })).status).toBe(201);
    expect((await issue({ name: 'no such day', expires_at: '2027-02-30T00:30:00Z' })).status).toBe(
      400,
    );
  });

  it('last no longer than the key that they were made with', async () => {
    const expires_at = '2026-03-01T05:00:00.000Z';
    const short = (await issue({ name: 'short', expires_at })).body.key ?? '';
    expect((await issue({ name: 'as long' }, {}, short)).body.expires_at).toBe(expires_at);
    expect(
      (await issue({ name: 'shorter', expires_at: '2026-03-01T04:00:00Z' }, {}, short)).status,
    ).toBe(201);
    const longer = await issue({ name: 'longer', expires_at: '2026-03-01T05:00:01Z' }, {}, short);
    expect(longer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(longer.text).toContain(
      'must not be after 2026-03-01T05:00:00.000Z, when the key of this request expires',
    );
  });

  it('do what their scopes say, and give no more than they have', async () => {
    const reader = (await issue({ name: 'reader', scopes: ['read'] })).body.key ?? '';
    expect(await statusWith(reader)).toBe(200);
    const denied = await api.call('POST', '/sources', {}, { key: reader });
    expect(denied).toMatchObject({ status: 401, body: { code: 'scope_missing' } });
    const search = await api.call('POST', '/search', { query: 'x' }, { key: reader });
    expect(search.status).toBe(200);
    const writer = (await issue({ name: 'writer', scopes: ['read', 'write'] })).body.key ?? '';
    expect((await issue({ name: 'more', scopes: ['audit'] }, {}, writer)).body.code).toBe(
      'scope_missing',
    );
  });

  it('repeat by Idempotency-Key without the secret', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const twins = await Promise.all(
      Array.from({ length: 5 }, () => issue({ name: 'once' }, headers)),
    );
    const secrets = twins.flatMap(({ body }) => body.key ?? []);
    expect(secrets).toHaveLength(1);
    expect(new Set(twins.map(({ body }) => body.id)).size).toBe(1);
    expect(await statusWith(secrets[0] ?? '')).toBe(200);
    const again = await issue({ name: 'once' }, headers);
    expect(again.status).toBe(201);
    expect(again.body).not.toHaveProperty('key');
    expect((await issue({ name: 'other' }, headers)).body.code).toBe('idempotency_key_reused');
    const foreign = await issue({ name: 'once' }, headers, api.keyB);
    expect(foreign.body.id).not.toBe(again.body.id);
    expect(foreign.body.key).toBeDefined();
  });

  it('of another tenant cannot be seen or revoked', async () => {
    const { body } = await issue({ name: 'theirs' }, {}, api.keyB);
    for (const id of [body.id, unknownId(), 'x']) {
      expect(await api.call('DELETE', `/keys/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'key_not_found' },
      });
    }
    expect(await statusWith(body.key ?? '')).toBe(200);
    expect((await api.call('GET', '/keys?limit=100')).text).not.toContain(body.id);
  });

  it.each([PUBLIC_TENANT, SYSTEM_TENANT])(
    'are issued to nobody for the reserved tenant %s',
    async (tenant) => {
      const by = operatorRun('tenant');
      const { secret } = newApiKeySecret();
      await api.issueKey(tenant, secret, ['read', 'write']);
      const before = await api.eventCount();
      expect(await issue({ name: 'further' }, {}, secret)).toMatchObject({
        status: 401,
        body: { code: 'scope_missing' },
      });
      await expect(createTenantWithKey(api.store, clock, 'Ours', tenant, by)).rejects.toThrow(
        'reserved',
      );
      await expect(issueFurtherKey(api.store, clock, tenant, by)).rejects.toThrow(
        'There is no tenant',
      );
      expect(await api.eventCount()).toBe(before);
      await api.append(tenant, `tenant-${tenant}`, {
        type: 'TenantCreated',
        data: { tenant_id: tenant, name: 'Ours' },
      });
      await expect(issueFurtherKey(api.store, clock, tenant, by)).rejects.toThrow('reserved');
    },
  );

  it.each([
    ['no credentials', {}],
    ['an unknown key', { authorization: `Bearer ${newApiKeySecret().secret}` }],
    ['another scheme', { authorization: 'Basic Zm9vOmJhcg==' }],
    ['no key in the header', { authorization: 'Bearer ' }],
    ['a very long key', { 'x-api-key': 'x'.repeat(5_000) }],
    ['two different keys', { authorization: 'Bearer a', 'x-api-key': 'b' }],
  ])('answer 401 to %s', async (_, headers) => {
    const answer = await api.call('GET', '/sources', undefined, { key: null, headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(answer.headers['www-authenticate']).toContain('Bearer');
  });

  it('are not revoked where no other could make a new one, unless that is meant', async () => {
    const { body: list } = await api.call<KeyList>('GET', '/keys', undefined, { key: api.keyB });
    const revoke = (id: string, query = '', key = api.keyB) =>
      api.call<{ code: string; error: string }>('DELETE', `/keys/${id}${query}`, undefined, {
        key,
      });
    const only = list.keys.find(({ prefix }) => api.keyB.startsWith(prefix));
    for (const { id } of list.keys)
      if (id !== only?.id) expect((await revoke(id)).status).toBe(204);
    const reader = (await issue({ name: 'reader', scopes: ['read'] }, {}, api.keyB)).body;
    const brief = (await issue({ name: 'brief', expires_at: '2026-03-01T02:00:00Z' }, {}, api.keyB))
      .body;
    now = new Date('2026-03-01T02:00:01.000Z');

    const refused = await revoke(only?.id ?? '');
    expect(refused).toMatchObject({ status: 409, body: { code: 'last_key' } });
    expect(refused.body.error).toContain('force=true');
    expect((await revoke(only?.id ?? '', '?force=false')).status).toBe(409);
    expect((await revoke(only?.id ?? '', '?force=1')).status).toBe(400);
    expect(await statusWith(api.keyB)).toBe(200);
    expect((await revoke(brief.id)).status).toBe(204);
    expect((await revoke(reader.id)).status).toBe(204);

    const twins = await Promise.all(
      [1, 2].map(async () => (await issue({ name: 'twin' }, {}, api.keyB)).body),
    );
    expect((await revoke(only?.id ?? '')).status).toBe(204);
    const [one, two] = twins.map(({ key = '' }) => key);
    const statuses = await Promise.all(
      twins.map(({ id }, at) => revoke(id, '', at === 0 ? two : one)),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 409]);
    const left =
      statuses[0]?.status === 409 ? { id: twins[0]?.id, key: one } : { id: twins[1]?.id, key: two };
    expect((await revoke(left.id ?? '', '?force=true', left.key)).status).toBe(204);
    expect(await statusWith(left.key ?? '')).toBe(401);
  });
});
