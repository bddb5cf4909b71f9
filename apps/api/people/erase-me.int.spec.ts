import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { KEY_SCOPES } from '#contracts';
import { newApiKeySecret, personKeys, uuidv7 } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { Browser, PASSWORD } from '#test/support/api/browser';
import { readLog } from '#test/support/read-log';

describe('DELETE /auth/me', () => {
  let api: ApiHarness;
  let serial = 0;
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(() => api.stop());

  /** A person with a tenant of their own, which has another owner as well. */
  const registered = async () => {
    const email = `person-${(serial += 1)}@example.com`;
    const browser = new Browser(api);
    const { body: me } = await browser.register(email);
    return { email, browser, me };
  };
  const withAnotherOwner = async () => {
    const person = await registered();
    const joined = { type: 'MemberJoined', data: { user_id: uuidv7(), role: 'owner' } } as const;
    await api.append(person.me.tenant_id, `members-${person.me.tenant_id}`, joined);
    return person;
  };

  it('erases the person and nobody else: the log keeps ids, and the address is free', async () => {
    const { browser, me, email } = await withAnotherOwner();
    await browser.call('PATCH', '/auth/me', { display_name: 'Ada Lovelace' });
    const created = await browser.call<{ id: string }>('POST', '/sources', {
      name: 'Flask',
      source_type: 'repo',
      url: 'https://example.com/flask.git',
    });
    const elsewhere = new Browser(api);
    await elsewhere.login(email);
    for (const confirm of ['yes', 'other@example.com']) {
      const asked = await browser.call<{ code: string; error: string }>('DELETE', '/auth/me', {
        confirm,
      });
      expect(asked).toMatchObject({ status: 409, body: { code: 'erasure_not_confirmed' } });
      expect(asked.body.error).toContain(me.id);
    }
    const cookies = new Map(browser.cookies);
    expect(
      (await browser.call('DELETE', '/auth/me', { confirm: email.toUpperCase() })).status,
    ).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    for (const each of [browser, elsewhere]) {
      expect(await each.call('GET', '/sources')).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
    }
    const refused = await elsewhere.login(email);
    expect(refused).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
    expect(await api.keyRing.standing(personKeys(me.id))).toBe('destroyed');
    const log = JSON.stringify(await readLog(api.store), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(log).not.toMatch(/Lovelace|person-1@example/i);
    for await (const { metadata } of api.store.read(`source-${created.body.id}`)) {
      expect(metadata.actor).toEqual({ type: 'user', id: me.id });
    }
    // A new person may register with the address now.
    const again = await new Browser(api).register(email);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(me.id);
  });

  it('is refused to the last owner with what to do instead, and who may erase the tenant', async () => {
    const { browser, me, email } = await registered();
    const refused = await browser.call<{ code: string; error: string }>('DELETE', '/auth/me', {
      confirm: email,
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    expect(refused.body.error).toMatch(
      /make somebody else an owner first, or erase the tenant .*DELETE \/tenant/,
    );
    expect((await browser.call('GET', '/auth/me')).status).toBe(200);

    const { secret } = newApiKeySecret();
    await api.issueKey(me.tenant_id, secret, [...KEY_SCOPES]);
    const { body: invited } = await browser.call<{ token: string }>('POST', '/invitations', {
      role: 'member',
    });
    const erased = await browser.call('DELETE', '/tenant', { confirm: 'Acme' });
    expect(erased).toMatchObject({ status: 202, body: { tenant_id: me.tenant_id } });
    expect((await browser.call('GET', '/auth/me')).status).toBe(401);
    expect((await api.call('GET', '/sources', undefined, { key: secret })).status).toBe(401);
    const accepted = { token: invited.token, email: 'late@example.com', password: PASSWORD };
    expect(await new Browser(api).begin('/auth/accept', accepted)).toMatchObject({
      status: 404,
      body: { code: 'invitation_not_found' },
    });
    expect(await new Browser(api).login(email)).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed' },
    });
  });

  it('and DELETE /tenant need the CSRF token of the session, and the tenant an owner', async () => {
    const { browser, me, email } = await withAnotherOwner();
    for (const [path, confirm] of [
      ['/auth/me', email],
      ['/tenant', 'Acme'],
    ] as const) {
      const refused = await browser.call('DELETE', path, { confirm }, { 'x-csrf-token': '' });
      expect(refused).toMatchObject({ status: 401, body: { code: 'csrf_invalid' } });
    }
    expect(await api.call('DELETE', '/auth/me', { confirm: email })).toMatchObject({
      status: 401,
      body: { code: 'sign_in_required' },
    });
    const demoted = {
      type: 'MemberRoleChanged',
      data: { user_id: me.id, role: 'member' },
    } as const;
    await api.append(me.tenant_id, `members-${me.tenant_id}`, demoted);
    const refused = await browser.call('DELETE', '/tenant', { confirm: 'Acme' });
    expect(refused).toMatchObject({ status: 401, body: { code: 'role_missing' } });
  });
});
