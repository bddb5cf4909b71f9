import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { inviteOwner } from '#apps/api/invitations/invite-owner';
import { issueFurtherKey } from '#apps/api/tenants/create-tenant';
import { newApiKeySecret, systemClock } from '#platform';
import {
  getTenant,
  listApiKeys,
  listChangedPolicies,
  listJobs,
  listSources,
  liveSourcesAt,
} from '#read-model';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';
import { operatorRun } from '#test/support/operator-run';
import { readLog } from '#test/support/read-log';

describe('DELETE /tenant', () => {
  let api: ApiHarness;
  beforeEach(async () => {
    api = await ApiHarness.start();
  });
  afterEach(() => api.stop());

  const erase = (body: object | undefined, key = api.keyA) =>
    api.call<{ code: string; error: string; tenant_id: string; status: string }>(
      'DELETE',
      '/tenant',
      body,
      { key },
    );

  it('is for the owner, who confirms it, and says how', async () => {
    for (const scopes of [['read', 'write'], ['read', 'write'], ['audit']] as const) {
      const { secret } = newApiKeySecret();
      await api.issueKey(api.tenantA, secret, [...scopes]);
      const refused = await erase({ confirm: api.tenantA }, secret);
      expect(refused).toMatchObject({ status: 401, body: { code: 'scope_missing' } });
    }
    expect(await erase(undefined)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
    for (const confirm of ['yes', api.tenantB]) {
      const asked = await erase({ confirm });
      expect(asked).toMatchObject({ status: 409, body: { code: 'erasure_not_confirmed' } });
      expect(asked.body.error).toContain(`"Tenant ${api.tenantA}", or its id, ${api.tenantA}`);
    }
    expect((await readLog(api.store)).filter(({ type }) => type.startsWith('TenantEras'))).toEqual(
      [],
    );
  });

  it('ends every credential of the tenant and its streams at once, and leaves the other tenant alone', async () => {
    const word = uniqueWord();
    for (const tenant of [api.tenantA, api.tenantB]) {
      await publish(api, [{ path: 'a.ts', content: `export const ${word} = 1;` }], { tenant });
    }
    const { secret: reader } = newApiKeySecret();
    await api.issueKey(api.tenantA, reader, ['read']);
    const source = await api.createSource('Flask');
    const { body: job } = await api.call<{ job_id: string }>('POST', `/sources/${source}/sync`);
    const stream = await openStream(api, `/jobs/${job.job_id}/stream`);

    const asked = await erase({ confirm: `Tenant ${api.tenantA}` });
    expect(asked).toMatchObject({
      status: 202,
      body: { tenant_id: api.tenantA, status: 'erasing' },
    });
    const began = performance.now();
    for (const key of [api.keyA, reader]) {
      for (const [method, path, body] of [
        ['GET', '/sources', undefined],
        ['POST', '/search', { query: word }],
        ['DELETE', '/tenant', { confirm: api.tenantA }],
      ] as const) {
        const refused = await api.call(method, path, body, { key });
        expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      }
    }
    expect(await stream.text).toContain('event: error');
    expect(performance.now() - began).toBeLessThan(5_000);
    await expect(
      issueFurtherKey(api.store, systemClock, api.tenantA, operatorRun('tenant')),
    ).rejects.toThrow('was erased');
    await expect(
      inviteOwner(api.store, systemClock, api.tenantA, operatorRun('tenant')),
    ).rejects.toThrow('was erased');
    // The tenant rejects everything: also a key that another process issued in between.
    const { secret: late } = newApiKeySecret();
    await api.issueKey(api.tenantA, late, ['read']);
    expect((await api.call('GET', '/sources', undefined, { key: late })).status).toBe(401);

    const other = await api.call('POST', '/search', { query: word }, { key: api.keyB });
    expect(other).toMatchObject({ status: 200, body: { total_results: 1 } });
    const requested = (await readLog(api.store)).filter(
      ({ type }) => type === 'TenantErasureRequested',
    );
    expect(requested.map(({ data, metadata }) => [data, metadata.actor.type])).toEqual([
      [{ tenant_id: api.tenantA, reason: 'owner_request' }, 'api_key'],
    ]);
  });

  it('leaves no row in the read models, and [erased] where its name stood', async () => {
    await publish(api, [{ path: 'a.ts', content: 'export const a = 1;' }], { tenant: api.tenantA });
    await api.call('PUT', '/policy', { min_evidence_count: 3 });
    await erase({ confirm: api.tenantA });
    const position = (await api.store.head()) ?? undefined;
    if (position === undefined) throw new Error('The log is empty');
    for (const name of [
      'sources',
      'source_history',
      'jobs',
      'api_keys',
      'policies',
      'tenants',
    ] as const) {
      await api.readModel.waitFor(name, position, 5_000);
    }
    const page = { skip: 0, limit: 10 };
    expect((await api.readModel.ask(listSources, api.tenantA, page)).total).toBe(0);
    expect((await api.readModel.ask(listJobs, api.tenantA, page)).total).toBe(0);
    expect(await api.readModel.ask(listApiKeys, api.tenantA)).toEqual([]);
    expect(await api.readModel.ask(liveSourcesAt, api.tenantA, position)).toEqual([]);
    expect((await api.readModel.asOf('policies', listChangedPolicies)).rows).toEqual([]);
    expect(await api.readModel.ask(getTenant, api.tenantA)).toMatchObject({
      name: '[erased]',
      erased_at: null,
    });
    expect(await api.readModel.ask(listApiKeys, api.tenantB)).toHaveLength(1);
  });
});

async function openStream(
  api: ApiHarness,
  path: string,
): Promise<{ readonly text: Promise<string> }> {
  await api.app.listen(0, '127.0.0.1');
  const { port } = api.app.getHttpServer().address() as AddressInfo;
  const headers = { authorization: `Bearer ${api.keyA}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers }, resolve).on('error', reject).end();
  });
  const text = (async () => {
    let all = '';
    for await (const part of response) all += String(part);
    return all;
  })();
  return { text };
}
