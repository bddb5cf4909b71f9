import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { PUBLIC_TENANT, type Role, SYSTEM_TENANT } from '#contracts';
import type { InvitationList, IssuedInvitationView, MemberList } from '#contracts/http/index';
import type { Clock } from '#platform';
import { personKeys } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { Browser, PASSWORD } from '#test/support/api/browser';
import { operatorRun } from '#test/support/operator-run';

import { inviteOwner } from './invite-owner.js';

const DAY_MS = 24 * 3_600_000;

describe('members and invitations', () => {
  let api: ApiHarness;
  let ahead = 0;
  const clock: Clock = {
    now: () => new Date(Date.now() + ahead),
    monotonic: () => performance.now(),
  };
  let serial = 0;
  const address = () => `member-${(serial += 1)}@example.com`;
  const owner = async () => {
    const browser = new Browser(api);
    const { status, body, text } = await browser.register(address());
    if (status !== 201) throw new Error(text);
    return { browser, me: body };
  };
  const invite = async (by: Browser, role: Role, email?: string) =>
    (
      await by.call<IssuedInvitationView>('POST', '/invitations', {
        role,
        ...(email ? { email } : {}),
      })
    ).body;
  const accept = async (token: string | undefined, email = address(), password = PASSWORD) => {
    const browser = new Browser(api);
    return { browser, email, ...(await browser.begin('/auth/accept', { token, email, password })) };
  };
  const joined = async (by: Browser, role: Role) => {
    const member = await accept((await invite(by, role)).token);
    if (member.status !== 201) throw new Error(member.text);
    return member;
  };
  const members = async (by: Browser) =>
    (await by.call<MemberList>('GET', '/members?limit=100')).body;

  beforeAll(async () => {
    api = await ApiHarness.start({ clock });
  });
  afterAll(() => api.stop());

  it('come by a link that is shown once, into the tenant and role of the invitation', async () => {
    const { browser, me } = await owner();
    const issued = await invite(browser, 'member', 'New.Member@example.com');
    expect(issued).toMatchObject({
      role: 'member',
      email: 'New.Member@example.com',
      status: 'open',
      accepted_by: null,
    });
    expect(issued.token).toMatch(/^fni_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    const listed = await browser.call<InvitationList>('GET', '/invitations');
    const { token, ...view } = issued;
    expect(listed.body).toEqual({ invitations: [view], total: 1 });
    expect((await accept(token, address())).body.code).toBe('invitation_not_found');

    const member = await accept(token, 'new.member@EXAMPLE.com');
    expect(member.status).toBe(201);
    expect(member.body).toMatchObject({
      role: 'member',
      tenant_id: me.tenant_id,
      tenant_name: 'Acme',
    });
    expect((await members(browser)).members).toMatchObject([
      {
        user_id: member.body.id,
        email: 'new.member@EXAMPLE.com',
        role: 'member',
        display_name: null,
      },
      { user_id: me.id, email: me.email, role: 'owner' },
    ]);
    const after = (await browser.call<InvitationList>('GET', '/invitations')).body;
    expect(after.invitations[0]).toMatchObject({ status: 'accepted', accepted_by: member.body.id });
    expect((await browser.call('DELETE', `/invitations/${issued.id}`)).body['code']).toBe(
      'invitation_closed',
    );
    for await (const event of api.store.read(`invitation-${issued.id}`)) {
      const text = JSON.stringify([event.data, event.metadata]).toLowerCase();
      expect([text.includes('new.member'), text.includes(token?.toLowerCase() ?? '')]).toEqual([
        false,
        false,
      ]);
    }
  });

  it('let in one of many who come with one link at once, and the same person again', async () => {
    const { browser } = await owner();
    const { token } = await invite(browser, 'member');
    const emails = Array.from({ length: 8 }, address);
    const answers = await Promise.all(emails.map((email) => accept(token, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(7).fill(404),
    ]);
    expect((await members(browser)).total).toBe(2);
    const winner = answers.find(({ status }) => status === 201);
    const again = await accept(token, winner?.email);
    expect([again.status, again.body.id]).toEqual([201, winner?.body.id]);
    expect((await accept(token, winner?.email, 'somebody elses password')).body.code).toBe(
      'sign_in_failed',
    );
    const loser = answers.find(({ status }) => status === 404);
    expect((await new Browser(api).register(loser?.email ?? '')).status).toBe(201);
  });

  it('are not let in by a link that is unknown, revoked or a week old, nor with an address that is taken', async () => {
    const { browser, me } = await owner();
    const [revoked, old, taken] = [
      await invite(browser, 'member'),
      await invite(browser, 'auditor'),
      await invite(browser, 'owner'),
    ];
    expect((await browser.call('DELETE', `/invitations/${revoked.id}`)).status).toBe(204);
    expect((await browser.call('DELETE', `/invitations/${revoked.id}`)).status).toBe(204);
    const swapped = `${revoked.token?.slice(0, 37)}${old.token?.slice(37)}`;
    for (const token of [
      'x',
      revoked.token,
      swapped,
      taken.token?.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ]) {
      expect(await accept(token)).toMatchObject({
        status: 404,
        body: { code: 'invitation_not_found' },
      });
    }
    expect((await accept(taken.token, me.email)).body.code).toBe('address_taken');
    expect((await accept(taken.token)).status).toBe(201);
    try {
      ahead = 7 * DAY_MS;
      expect((await accept(old.token)).body.code).toBe('invitation_not_found');
      await browser.login(me.email);
      const { body } = await browser.call<InvitationList>('GET', '/invitations');
      expect(body.invitations.map(({ status }) => status)).toEqual([
        'accepted',
        'expired',
        'revoked',
      ]);
    } finally {
      ahead = 0;
    }
  });

  it('begin with an owner whom the operator invites, where the tenant has none', async () => {
    const { token } = await inviteOwner(api.store, clock, api.tenantA, operatorRun('tenant'));
    const first = await accept(token);
    expect([first.status, first.body.role, first.body.tenant_id]).toEqual([
      201,
      'owner',
      api.tenantA,
    ]);
    expect((await first.browser.call('GET', '/keys')).status).toBe(200);
    for (const tenant of [unknownId(), PUBLIC_TENANT, SYSTEM_TENANT]) {
      await expect(inviteOwner(api.store, clock, tenant, operatorRun('tenant'))).rejects.toThrow(
        tenant,
      );
    }
  });

  it('repeat an invitation by Idempotency-Key without its token', async () => {
    const { browser } = await owner();
    const headers = { 'idempotency-key': 'invite-1' };
    const body = { role: 'member', email: address() };
    const first = await browser.call<IssuedInvitationView>('POST', '/invitations', body, headers);
    const again = await browser.call<IssuedInvitationView>('POST', '/invitations', body, headers);
    const { token, ...view } = first.body;
    expect([first.status, typeof token, again.status]).toEqual([201, 'string', 201]);
    expect(again.body).toEqual(view);
    const other = await browser.call(
      'POST',
      '/invitations',
      { ...body, email: address() },
      headers,
    );
    expect(other.body['code']).toBe('idempotency_key_reused');
  });

  it('do what their role says, at once when it changes', async () => {
    const { browser } = await owner();
    const { browser: member, body: me } = await joined(browser, 'auditor');
    const source = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };
    const tries = async () => ({
      read: (await member.call('GET', '/sources')).status,
      write: (await member.call('POST', '/sources', source)).status,
      key: (await member.call('POST', '/keys', { name: 'mine' })).status,
      members: (await member.call('GET', '/members')).status,
      invite: (await member.call('POST', '/invitations', { role: 'owner' })).status,
      promote: (await member.call('PATCH', `/members/${me.id}`, { role: 'owner' })).status,
    });
    expect(await tries()).toEqual({
      read: 200,
      write: 401,
      key: 401,
      members: 200,
      invite: 401,
      promote: 401,
    });
    expect((await member.call('POST', '/keys', { name: 'mine' })).body['code']).toBe(
      'role_missing',
    );
    const change = (role: Role) => browser.call('PATCH', `/members/${me.id}`, { role });
    expect(await change('member')).toMatchObject({
      status: 200,
      body: { user_id: me.id, role: 'member' },
    });
    expect(await tries()).toEqual({
      read: 200,
      write: 201,
      key: 401,
      members: 200,
      invite: 401,
      promote: 401,
    });
    expect((await change('owner')).status).toBe(200);
    expect(await tries()).toEqual({
      read: 200,
      write: 201,
      key: 201,
      members: 200,
      invite: 201,
      promote: 200,
    });
    expect((await member.call('POST', '/auth/logout')).status).toBe(204);
  });

  it('are removed with their sessions and account, and their address is free', async () => {
    const { browser } = await owner();
    const { browser: member, body: me } = await joined(browser, 'member');
    expect((await browser.call('DELETE', `/members/${me.id}`)).status).toBe(204);
    expect((await member.call('GET', '/auth/me')).status).toBe(401);
    expect((await member.login(me.email)).status).toBe(401);
    expect((await members(browser)).total).toBe(1);
    expect((await browser.call('DELETE', `/members/${me.id}`)).status).toBe(204);
    expect((await browser.call('PATCH', `/members/${me.id}`, { role: 'owner' })).status).toBe(404);
    const elsewhere = await new Browser(api).register(me.email);
    expect([elsewhere.status, elsewhere.body.tenant_id === me.tenant_id]).toEqual([201, false]);
  });

  it('never leave a tenant without an owner, even when owners leave at the same time', async () => {
    const { browser: first, me } = await owner();
    expect((await first.call('DELETE', `/members/${me.id}`)).body['code']).toBe('last_owner');
    expect((await first.call('PATCH', `/members/${me.id}`, { role: 'member' })).body['code']).toBe(
      'last_owner',
    );
    const { browser: second, body: other } = await joined(first, 'owner');
    const [one, two] = await Promise.all([
      first.call('PATCH', `/members/${me.id}`, { role: 'auditor' }),
      second.call('PATCH', `/members/${other.id}`, { role: 'auditor' }),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    const left = one.status === 409 ? first : second;
    expect((await members(left)).members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('of another tenant answer as if they were not there', async () => {
    const { browser, me } = await owner();
    const stranger = await owner();
    const theirs = await invite(stranger.browser, 'member');
    for (const id of [stranger.me.id, unknownId(), 'x']) {
      for (const [method, body] of [
        ['PATCH', { role: 'member' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await browser.call(method, `/members/${id}`, body);
        expect(answer).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
      }
    }
    for (const id of [theirs.id, unknownId(), 'x']) {
      const answer = await browser.call('DELETE', `/invitations/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } });
    }
    expect((await members(browser)).members.map(({ user_id }) => user_id)).toEqual([me.id]);
    expect((await browser.call<InvitationList>('GET', '/invitations')).body.total).toBe(0);
    expect((await accept(theirs.token)).body.tenant_id).toBe(stranger.me.tenant_id);
  });

  it('are shown as erased once their keys are gone', async () => {
    const { browser } = await owner();
    const { body: me, browser: member } = await joined(browser, 'member');
    await member.call('PATCH', '/auth/me', { display_name: 'Ada' });
    await api.keyRing.destroy(personKeys(me.id));
    const shown = (await members(browser)).members.find(({ user_id }) => user_id === me.id);
    expect(shown).toMatchObject({ email: '[erased]', display_name: '[erased]', role: 'member' });
    expect((await new Browser(api).login(me.email)).status).toBe(401);
  });
});
