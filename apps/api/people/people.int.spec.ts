import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MeView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { Browser } from '#test/support/api/browser';

const SECRET = 'the secret of this spec is long enough to sign';
const OLD_SECRET = 'the secret before it is long enough as well';

describe('people', () => {
  let api: ApiHarness;
  let serial = 0;
  const address = () => `person-${(serial += 1)}@example.com`;
  const registered = async (email = address()) => {
    const browser = new Browser(api);
    const answer = await browser.register(email);
    if (answer.status !== 201) throw new Error(answer.text);
    return { browser, email, me: answer.body };
  };

  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { JWT_SECRET: `${SECRET},${OLD_SECRET}` } });
  });
  afterAll(() => api.stop());

  it('register, see themselves, sign out and sign in again', async () => {
    const browser = new Browser(api);
    const made = await browser.register('Ada.Lovelace@Example.com');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ email: 'Ada.Lovelace@Example.com', display_name: null, role: 'owner' });
    expect(made.body.tenant_name).toBe('Acme');
    const [token, csrf] = [made.headers['set-cookie'] ?? []].flat().map(String);
    expect(token).toMatch(/^footnote_session=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(csrf).toBe(`footnote_csrf=${made.body.csrf_token}; Max-Age=3600; Path=/; SameSite=Lax`);
    expect((await browser.call<MeView>('GET', '/auth/me')).body).toEqual(made.body);

    expect((await browser.call('POST', '/auth/logout')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    const sent = { cookie: String(token).split(';')[0] ?? '', 'x-csrf-token': made.body.csrf_token };
    expect((await api.call('GET', '/auth/me', undefined, { key: null, headers: sent })).status).toBe(401);

    const again = await browser.login('ada.lovelace@EXAMPLE.com');
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    expect(again.body.csrf_token).not.toBe(made.body.csrf_token);
  });

  it('call what takes an API key, as their role allows, and are the actors of it', async () => {
    const { browser, me } = await registered();
    const body = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };
    const created = await browser.call<{ id: string }>('POST', '/sources', body);
    expect(created.status).toBe(201);
    expect((await browser.call<{ total: number }>('GET', '/sources')).body.total).toBe(1);
    for await (const { metadata } of api.store.read(`source-${created.body.id}`)) {
      expect([metadata.tenant_id, metadata.actor]).toEqual([me.tenant_id, { type: 'user', id: me.id }]);
    }
    const key = await browser.call<{ key: string; expires_at: null }>('POST', '/keys', { name: 'ci' });
    expect(key.body.expires_at).toBeNull();
    expect((await api.call('GET', '/sources', undefined, { key: key.body.key })).status).toBe(200);
  });

  it('echo the CSRF token of their session with whatever may change something', async () => {
    const { browser } = await registered();
    const other = await registered();
    for (const csrf of ['', 'x', other.browser.csrf, `${browser.csrf}x`]) {
      const refused = await browser.call('POST', '/sources', {}, { 'x-csrf-token': csrf });
      expect(refused).toMatchObject({ status: 401, body: { code: 'csrf_invalid' } });
    }
    expect((await browser.call('GET', '/auth/me', undefined, { 'x-csrf-token': '' })).status).toBe(200);
    expect((await browser.call('PATCH', '/auth/me', { display_name: 'Ada' })).body['display_name']).toBe('Ada');
  });
});
