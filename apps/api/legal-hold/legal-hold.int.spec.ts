import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { LegalHoldView } from '#contracts/http/index';
import { newApiKeySecret } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { Browser } from '#test/support/api/browser';
import { readLog } from '#test/support/read-log';

describe('the legal hold', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  const hold = (method: string, reason?: string, headers: Record<string, string> = {}) =>
    api.call<LegalHoldView & { code: string }>(
      method,
      '/legal-hold',
      reason === undefined ? undefined : { reason },
      { headers },
    );

  it('is set, read and released at the version that the caller names', async () => {
    const before = await hold('GET');
    expect(before).toMatchObject({
      status: 200,
      body: { active: false, reason: null, changed_at: null, changed_by: null },
    });
    expect(before.headers['etag']).toBe('"0"');
    const set = await hold('PUT', 'Case 2026-14', { 'if-match': '"0"' });
    expect(set).toMatchObject({
      status: 200,
      body: { active: true, reason: 'Case 2026-14', changed_by: { type: 'api_key' } },
    });
    const etag = String(set.headers['etag']);
    for (const method of ['PUT', 'DELETE']) {
      const late = await hold(method, 'Late', { 'if-match': '"0"' });
      expect([late.status, late.body.code]).toEqual([412, 'legal_hold_changed']);
    }
    expect((await hold('GET')).headers['etag']).toBe(etag);
    const released = await hold('DELETE', 'Closed', { 'if-match': etag });
    expect(released).toMatchObject({ status: 200, body: { active: false, reason: 'Closed' } });
    expect((await hold('GET')).body).toEqual(released.body);
  });

  it('takes a reason of 500 characters and no more, and never shows it in the log', async () => {
    const longest = '\u{1f4dc}'.repeat(500);
    expect(await hold('PUT', longest)).toMatchObject({ status: 200, body: { reason: longest } });
    for (const reason of [`${longest}x`, '  '])
      expect((await hold('PUT', reason)).status).toBe(400);
    const log = JSON.stringify((await readLog(api.store)).map(({ data }) => data));
    expect(log).not.toContain('\u{1f4dc}');
    expect(log).not.toContain('Case 2026-14');
    await hold('DELETE', 'Done');
  });

  it('rejects the erasure of its tenant alone', async () => {
    await hold('PUT', 'Case');
    const erase = (key: string, confirm: string) =>
      api.call('DELETE', '/tenant', { confirm }, { key });
    expect(await erase(api.keyA, api.tenantA)).toMatchObject({
      status: 409,
      body: { code: 'legal_hold' },
    });
    const other = newApiKeySecret().secret;
    const { body } = await api.call<{ active: boolean }>('GET', '/legal-hold', undefined, {
      key: api.keyB,
    });
    expect(body.active).toBe(false);
    await api.issueKey(api.tenantB, other, ['read', 'write', 'audit']);
    expect((await erase(other, api.tenantB)).status).toBe(202);
    await hold('DELETE', 'Done');
  });

  it('rejects the erasure of people and conversations until it is released', async () => {
    const browser = new Browser(api);
    const email = 'held@example.com';
    await browser.register(email);
    const { body: made } = await browser.call<{ id: string }>('POST', '/conversations', {});
    expect((await browser.call('PUT', '/legal-hold', { reason: 'Case' })).status).toBe(200);
    const conversation = `/conversations/${made.id}`;
    for (const [path, body] of [
      ['/auth/me', { confirm: email }],
      [conversation, undefined],
    ] as const)
      expect(await browser.call('DELETE', path, body)).toMatchObject({
        status: 409,
        body: { code: 'legal_hold' },
      });
    expect((await browser.call('GET', conversation)).status).toBe(200);
    await browser.call('DELETE', '/legal-hold', { reason: 'Done' });
    expect((await browser.call('DELETE', conversation)).status).toBe(204);
  });

  it('is changed by owners and full keys alone', async () => {
    const key = newApiKeySecret().secret;
    await api.issueKey(api.tenantA, key, ['read', 'write']);
    for (const method of ['PUT', 'DELETE'])
      expect(
        (await api.call(method, '/legal-hold', { reason: 'Case' }, { key })).body['code'],
      ).toBe('scope_missing');
  });
});
