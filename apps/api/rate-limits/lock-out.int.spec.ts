import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Logger } from '#platform';
import { newApiKeySecret, silentLogger } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { PASSWORD } from '#test/support/api/browser';
import { type HttpClient, httpClientOf } from '#test/support/api/http-client';

describe('an address from which a stranger sends made-up keys', () => {
  let api: ApiHarness;
  let http: HttpClient;
  let cookies: string[];
  const warnings: string[] = [];

  beforeAll(async () => {
    const warn: Logger['warn'] = (_: object, message: string) => void warnings.push(message);
    const environment = { RATE_LIMIT_FAILED_AUTH: '5' };
    api = await ApiHarness.start({ environment, logger: { ...silentLogger, warn } });
    http = await httpClientOf(api);
    const account = { email: 'owner@example.com', password: PASSWORD, tenant_name: 'Acme' };
    const { headers, status } = await http.request.post('/auth/register').send(account);
    expect(status).toBe(201);
    cookies = [headers['set-cookie'] ?? []].flat().map((line) => String(line).split(';')[0] ?? '');
    const made = () =>
      http.request.get('/policy').set('authorization', `Bearer ${newApiKeySecret().secret}`);
    for (let turn = 0; turn < 5; turn += 1) expect((await made()).status).toBe(401);
    expect((await made()).status).toBe(429);
  });
  afterAll(() => api.stop());

  it('still serves signed-in people', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      expect((await http.request.get('/auth/me').set('cookie', cookies.join('; '))).status).toBe(
        200,
      );
    }
  });

  it('rejects forged sessions like made-up keys', async () => {
    const forged = cookies.map((cookie) => `${cookie}x`).join('; ');
    expect((await http.request.get('/auth/me').set('cookie', forged)).status).toBe(429);
  });

  it('still accepts sign-ins and pushes, each up to a limit of its own', async () => {
    const signIn = (password: string) =>
      http.request.post('/auth/login').send({ email: 'owner@example.com', password });
    expect((await signIn(PASSWORD)).status).toBe(200);
    const push = () =>
      http.request.post(`/sources/${unknownId()}/hooks/push`).set('x-gitlab-token', 'x').send({});
    for (let turn = 0; turn < 5; turn += 1) expect((await push()).status).toBe(401);
    const refused = await push();
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('still serves pages that need no credentials', async () => {
    for (const path of ['/', '/packages/global'])
      expect((await http.request.get(path)).status).toBe(200);
  });

  it('is reported once as a proxy that TRUST_PROXY does not name', async () => {
    const reports = () => warnings.filter((message) => message.includes('TRUST_PROXY'));
    const forwarded = (client: string) => http.request.get('/').set('x-forwarded-for', client);
    for (let turn = 0; turn < 30; turn += 1) await forwarded('203.0.113.1');
    expect(reports()).toEqual([]);
    for (let client = 0; client < 60; client += 1) await forwarded(`203.0.113.${client}`);
    expect(reports()).toHaveLength(1);
    expect(reports()[0]).toContain('set TRUST_PROXY to its network');
  });
});
