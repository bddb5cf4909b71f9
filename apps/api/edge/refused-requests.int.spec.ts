import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type JsonObject, SYSTEM_TENANT } from '#contracts';
import { newApiKeySecret } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { readLog } from '#test/support/read-log';

import { Refusals } from '../refusals/refusals.js';

const CANARY = 'planted-canary-7f3a';

describe('a refused request', () => {
  let api: ApiHarness;
  const readOnly = newApiKeySecret().secret;
  beforeAll(async () => {
    api = await ApiHarness.start({
      environment: { RATE_LIMIT_FAILED_AUTH: '40', RATE_LIMIT_ADDRESS: '100000' },
    });
    await api.issueKey(api.tenantA, readOnly, ['read']);
  });
  afterAll(() => api.stop());

  /** Returns the refusals that the work adds, by tenant. */
  const refusalsOf = async (work: () => Promise<unknown>) => {
    const before = (await readLog(api.store)).length;
    await work();
    await api.app.get(Refusals).flush({ all: true });
    return (await readLog(api.store))
      .slice(before)
      .filter(({ type }) => type === 'RequestsRefused')
      .map(({ data, metadata }) => ({ data, metadata }));
  };
  const counted = (added: readonly { data: JsonObject }[]) =>
    added.reduce((sum, { data }) => sum + Number(data['count']) + Number(data['uncounted']), 0);

  it('without any credentials adds nothing, and neither does a wrong body', async () => {
    const added = await refusalsOf(async () => {
      await api.call('GET', '/sources', undefined, { key: null });
      await api.call('POST', '/sources', { nonsense: true });
      await api.call('GET', `/sources/${unknownId()}`);
    });
    expect(added).toEqual([]);
  });

  it('with an unknown key adds one event per address to the trail of the operator', async () => {
    const added = await refusalsOf(async () => {
      for (let turn = 0; turn < 300; turn += 1)
        await api.call('GET', `/sources/${CANARY}?q=${CANARY}`, undefined, {
          key: newApiKeySecret().secret,
          headers: { 'user-agent': CANARY },
        });
    });
    expect(added.length).toBeLessThanOrEqual(4);
    expect(counted(added)).toBe(300);
    expect(new Set(added.map(({ data }) => data['code']))).toEqual(
      new Set(['unauthorized', 'rate_limited']),
    );
    for (const { metadata } of added) {
      expect(metadata.tenant_id).toBe(SYSTEM_TENANT);
      expect(metadata.actor).toEqual({ type: 'anonymous', id: '127.0.0.1' });
    }
    expect(JSON.stringify(added)).not.toContain(CANARY);
  });

  it('without a scope names the key in the trail of its tenant', async () => {
    const added = await refusalsOf(async () => {
      await api.call('POST', '/sources', { name: CANARY }, { key: readOnly });
      await api.call('GET', '/audit/events', undefined, { key: readOnly });
    });
    expect(added).toMatchObject([
      {
        data: { code: 'scope_missing', status: 401, count: 2, route: 'POST /sources' },
        metadata: { tenant_id: api.tenantA, actor: { type: 'api_key' } },
      },
    ]);
    expect(JSON.stringify(added)).not.toContain(CANARY);
  });

  it('for a changed policy names code and key', async () => {
    const added = await refusalsOf(() =>
      api.call(
        'PUT',
        '/policy',
        { staleness_budget_seconds: 60 },
        { key: api.keyB, headers: { 'if-match': '"999"' } },
      ),
    );
    expect(added).toMatchObject([
      {
        data: { code: 'policy_changed', status: 412, route: 'PUT /policy' },
        metadata: { tenant_id: api.tenantB, actor: { type: 'api_key' } },
      },
    ]);
  });

  it('of an unknown account has a keyed digest, never the name', async () => {
    const email = `${CANARY}@example.com`;
    const added = await refusalsOf(() =>
      api.call('POST', '/auth/login', { email, password: 'a wrong password' }, { key: null }),
    );
    expect(added).toMatchObject([
      {
        data: {
          code: 'sign_in_failed',
          user_id: null,
          account_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        },
        metadata: { tenant_id: SYSTEM_TENANT },
      },
    ]);
    expect(JSON.stringify(added)).not.toContain(CANARY);
  });

  it('of a known account is in the trail of its tenant', async () => {
    const account = { email: 'owner@example.com', password: 'correct horse battery staple' };
    const { status } = await api.call(
      'POST',
      '/auth/register',
      { ...account, tenant_name: 'Acme' },
      { key: null },
    );
    expect(status).toBe(201);
    const user = (await readLog(api.store)).find(({ type }) => type === 'UserRegistered');
    const added = await refusalsOf(() =>
      api.call('POST', '/auth/login', { ...account, password: 'a wrong one here' }, { key: null }),
    );
    expect(added).toMatchObject([
      {
        data: {
          code: 'sign_in_failed',
          user_id: user?.data['user_id'],
          account_digest: null,
        },
        metadata: { tenant_id: user?.metadata.tenant_id, actor: { type: 'anonymous' } },
      },
    ]);
  });

  it('of a push names the source if it takes pushes', async () => {
    const id = await api.createSource();
    await api.call('POST', `/sources/${id}/hooks`);
    const push = (source: string) =>
      api.call(
        'POST',
        `/sources/${source}/hooks/push`,
        {},
        {
          key: null,
          headers: { 'x-gitlab-token': CANARY },
        },
      );
    const added = await refusalsOf(async () => {
      await push(id);
      await push(unknownId());
    });
    expect(added).toMatchObject([
      { data: { source_id: id, status: 401 }, metadata: { tenant_id: api.tenantA } },
      { data: { source_id: null }, metadata: { tenant_id: SYSTEM_TENANT } },
    ]);
    expect(JSON.stringify(added)).not.toContain(CANARY);
  });
});
