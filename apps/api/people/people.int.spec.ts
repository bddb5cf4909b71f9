import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

import type { MeView } from '#contracts/http/index';
import { type Clock, silentLogger, sleep, uuidv7 } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { Browser, PASSWORD } from '#test/support/api/browser';
import { readLog } from '#test/support/read-log';
import { proposed } from '#test/support/sample-events';

import { KnownUsers } from '../auth/known-users.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { Fingerprints } from './credentials/fingerprints.js';
import { ExternalSignIn } from './sign-in/external-sign-in.js';

const SECRET = 'the secret of this spec is long enough to sign';
const OLD_SECRET = 'the secret before it is long enough as well';

describe('people', () => {
  let api: ApiHarness;
  let ahead = 0;
  const clock: Clock = {
    now: () => new Date(Date.now() + ahead),
    monotonic: () => performance.now(),
  };
  let serial = 0;
  const address = () => `person-${(serial += 1)}@example.com`;
  const registered = async (email = address()) => {
    const browser = new Browser(api);
    const answer = await browser.register(email);
    if (answer.status !== 201) throw new Error(answer.text);
    return { browser, email, me: answer.body };
  };

  beforeAll(async () => {
    api = await ApiHarness.start({ clock, environment: { JWT_SECRET: `${SECRET},${OLD_SECRET}` } });
  });
  afterAll(() => api.stop());

  it('register, see themselves, sign out and sign in again', async () => {
    const browser = new Browser(api);
    const made = await browser.register('Ada.Lovelace@Example.com');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      email: 'Ada.Lovelace@Example.com',
      display_name: null,
      role: 'owner',
    });
    expect(made.body.tenant_name).toBe('Acme');
    const [token, csrf] = [made.headers['set-cookie'] ?? []].flat().map(String);
    expect(token).toMatch(
      /^footnote_session=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(csrf).toBe(`footnote_csrf=${made.body.csrf_token}; Max-Age=3600; Path=/; SameSite=Lax`);
    expect((await browser.call<MeView>('GET', '/auth/me')).body).toEqual(made.body);

    expect((await browser.call('POST', '/auth/logout')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    const sent = {
      cookie: String(token).split(';')[0] ?? '',
      'x-csrf-token': made.body.csrf_token,
    };
    expect(
      (await api.call('GET', '/auth/me', undefined, { key: null, headers: sent })).status,
    ).toBe(401);

    const again = await browser.login('ada.lovelace@EXAMPLE.com');
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    expect(again.body.csrf_token).not.toBe(made.body.csrf_token);
  });

  it('call what takes an API key, as their role allows, and are the actors of it', async () => {
    const { browser, me } = await registered();
    const created = await browser.call<{ id: string }>('POST', '/sources', source);
    expect(created.status).toBe(201);
    expect((await browser.call<{ total: number }>('GET', '/sources')).body.total).toBe(1);
    for await (const { metadata } of api.store.read(`source-${created.body.id}`)) {
      expect([metadata.tenant_id, metadata.actor]).toEqual([
        me.tenant_id,
        { type: 'user', id: me.id },
      ]);
    }
    const key = await browser.call<{ key: string; expires_at: null }>('POST', '/keys', {
      name: 'ci',
    });
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
    expect((await browser.call('GET', '/auth/me', undefined, { 'x-csrf-token': '' })).status).toBe(
      200,
    );
    expect(
      (await browser.call('PATCH', '/auth/me', { display_name: 'Ada' })).body['display_name'],
    ).toBe('Ada');
  });

  it('take nothing for a session that is not one of ours, in force, of a person of that tenant', async () => {
    const { browser, me } = await registered();
    const other = await registered();
    const token = browser.cookies.get('footnote_session') ?? '';
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
    const typ = 'footnote-session+jwt';
    const signed = (
      changes: JWTPayload,
      secret = SECRET,
      head: { alg: string; typ?: string } = { alg: 'HS256', typ },
    ) => new SignJWT({ ...claims, ...changes }).setProtectedHeader(head).sign(Buffer.from(secret));
    const statusOf = async (cookie: string) => {
      const headers = { cookie: `footnote_session=${cookie}`, 'x-csrf-token': browser.csrf };
      return (await api.call('GET', '/auth/me', undefined, { key: null, headers })).status;
    };
    expect([await statusOf(token), await statusOf(await signed({}))]).toEqual([200, 200]);
    expect(await statusOf(await signed({}, OLD_SECRET))).toBe(200);
    const past = Math.floor(Date.now() / 1_000) - 10;
    const refused = {
      nothing: '',
      text: 'x',
      'no signature': `${header}.${payload}.`,
      'another signature': `${header}.${payload}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      'another secret': await signed({}, 'a secret that is not of this service at all'),
      'no algorithm': new UnsecuredJWT(claims).encode(),
      'another algorithm': await signed({}, `${SECRET} ${SECRET}`.slice(0, 64), {
        alg: 'HS512',
        typ,
      }),
      'another algorithm, our secret': await signed({}, SECRET, { alg: 'HS384', typ }).catch(
        () => 'x',
      ),
      'another type': await signed({}, SECRET, { alg: 'HS256', typ: 'JWT' }),
      'no type': await signed({}, SECRET, { alg: 'HS256' }),
      'another issuer': await signed({ iss: 'somebody' }),
      'another audience': await signed({ aud: 'something' }),
      expired: await signed({ exp: past }),
      'over at last': await signed({ end: past }),
      'another tenant': await signed({ tid: other.me.tenant_id }),
      'an unknown person': await signed({ sub: uuidv7() }),
      'an earlier epoch': await signed({ epoch: 0 }),
    };
    const statuses: Record<string, number> = {};
    for (const [name, cookie] of Object.entries(refused)) statuses[name] = await statusOf(cookie);
    expect(statuses).toEqual(Object.fromEntries(Object.keys(refused).map((name) => [name, 401])));
    expect(me.tenant_id).not.toBe(other.me.tenant_id);
  });

  it('are asked for where an API key is not enough; of key and cookie the key counts', async () => {
    const { browser } = await registered();
    for (const [method, url] of [
      ['GET', '/auth/me'],
      ['GET', '/members'],
      ['POST', '/invitations'],
      ['POST', '/auth/logout'],
    ] as const) {
      expect(await api.call(method, url)).toMatchObject({
        status: 401,
        body: { code: 'sign_in_required' },
      });
      const nobody = await api.call(method, url, undefined, { key: null });
      expect(nobody).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
    const both = { authorization: `Bearer ${api.keyA}` };
    expect((await browser.call('GET', '/auth/me', undefined, both)).body['code']).toBe(
      'sign_in_required',
    );
    const made = await browser.call<{ id: string }>('POST', '/sources', source, {
      ...both,
      'x-csrf-token': '',
    });
    expect(made.status).toBe(201);
    expect((await api.call('GET', `/sources/${made.body.id}`)).status).toBe(200);
    expect(
      (await browser.call('GET', '/sources', undefined, { 'x-api-key': 'wrong' })).status,
    ).toBe(401);
  });

  it('have an address to themselves: of twenty at once one gets it', async () => {
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => new Browser(api).register(email)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(19).fill(409),
    ]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['address_taken']));
    expect((await new Browser(api).register(email.toUpperCase())).status).toBe(409);
    expect((await new Browser(api).login(email)).status).toBe(200);
  });

  it('register once by an Idempotency-Key, which no other address comes upon', async () => {
    const email = address();
    const register = (body: object, key = 'key-1') =>
      new Browser(api).call<MeView & { code: string }>('POST', '/auth/register', body, {
        'idempotency-key': key,
      });
    const body = { email, password: PASSWORD, tenant_name: 'Acme' };
    const twins = await Promise.all(Array.from({ length: 4 }, () => register(body)));
    expect(
      new Set(twins.map(({ status, body: me }) => `${status} ${me.id} ${me.tenant_id}`)).size,
    ).toBe(1);
    expect(twins[0]?.status).toBe(201);
    expect((await register({ ...body, password: `${PASSWORD}!` })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await register({ ...body, tenant_name: 'Other' })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await register({ ...body, email: address() })).status).toBe(201);
    expect((await register(body, 'key-2')).body.code).toBe('address_taken');
  });

  it('get an address that a crash left reserved after a minute, and what was on its way comes too late', async () => {
    const email = address();
    const fingerprint = await api.app.get(Fingerprints, { strict: false }).ofAddress(email);
    const user_id = uuidv7();
    const reserve = { type: 'AddressReserved' as const, data: { user_id } };
    const at = (ago: number) => ({
      tenant_id: uuidv7(),
      occurred_at: new Date(Date.now() - ago).toISOString(),
    });
    await api.store.append(`address-${fingerprint}`, [proposed(reserve, at(50_000))], 'none');
    expect((await new Browser(api).register(email)).body.code).toBe('address_taken');
    ahead += 20_000;
    expect((await new Browser(api).register(email)).status).toBe(201);
    ahead -= 20_000;
    const left = [];
    for await (const { type } of api.store.read(`user-${user_id}`)) left.push(type);
    expect(left).toEqual(['UserRegistrationVoided']);
  });

  it('learn nothing from a refused sign-in, and wait after five', async () => {
    const { email } = await registered();
    const wrong = await new Browser(api).login(email, 'not the password of it');
    const unknown = await new Browser(api).login(address(), 'not the password of it');
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed']);
    expect([unknown.status, unknown.body.code]).toEqual([401, 'sign_in_failed']);
    const said = ({ body }: typeof wrong) => (body as unknown as { error: string }).error;
    expect(said(unknown)).toBe(said(wrong));
    const further = await Promise.all(
      Array.from({ length: 6 }, () => new Browser(api).login(email, 'nor is this one')),
    );
    const waiting = further.filter(({ status }) => status === 429);
    expect(waiting).toHaveLength(2);
    expect(Number(waiting[0]?.headers['retry-after'])).toBeLessThanOrEqual(30);
  });

  it('choose passwords that are long and not the commonest', async () => {
    const register = async (password: string) =>
      (await new Browser(api).register(address(), password)).body.code;
    for (const password of ['short', 'elevenchars', 'x'.repeat(129)]) {
      expect([password, await register(password)]).toEqual([password, 'validation_failed']);
    }
    for (const password of ['password1234', 'aaaaaaaaaaaaaa', 'JustinBieber']) {
      expect([password, await register(password)]).toEqual([password, 'password_too_common']);
    }
    const common = { current_password: PASSWORD, new_password: 'FinalFantasy7' };
    const { browser } = await registered();
    expect(await browser.begin('/auth/password', common)).toMatchObject({
      status: 400,
      body: { code: 'password_too_common', details: [{ field: 'new_password' }] },
    });
    const link = { token: 'fni_unknown', email: address(), password: 'FinalFantasy7' };
    expect((await new Browser(api).begin('/auth/accept', link)).body.code).toBe(
      'password_too_common',
    );
    expect(await register('å'.normalize('NFD').repeat(6))).toBe('validation_failed');
    for (const email of [
      '',
      'ada',
      'ada@localhost',
      'a da@example.com',
      '<ada@example.com>',
      'ada@exam_ple.com',
    ]) {
      expect([email, (await new Browser(api).register(email)).body.code]).toEqual([
        email,
        'validation_failed',
      ]);
    }
  });

  it('end all other sessions by a new password, and go on with new cookies', async () => {
    const { browser, email } = await registered();
    const other = new Browser(api);
    await other.login(email);
    const before = new Map(browser.cookies);
    const next = 'a better staple for horses';
    const change = (current_password: string) =>
      browser.begin('/auth/password', { current_password, new_password: next });
    expect((await change('not my password')).body.code).toBe('sign_in_failed');
    const changed = await change(PASSWORD);
    expect(changed.status).toBe(200);
    expect((await other.call('GET', '/auth/me')).status).toBe(401);
    expect((await browser.call('PATCH', '/auth/me', { display_name: null })).status).toBe(200);
    const old = { cookie: [...before].map(([name, value]) => `${name}=${value}`).join('; ') };
    expect((await api.call('GET', '/auth/me', undefined, { key: null, headers: old })).status).toBe(
      401,
    );
    expect((await new Browser(api).login(email)).status).toBe(401);
    expect((await other.login(email, next)).status).toBe(200);
    expect((await other.call('POST', '/auth/logout-everywhere')).status).toBe(204);
    expect((await browser.call('GET', '/auth/me')).status).toBe(401);
  });

  it('stay signed in while they come back within the hour, and for a day at most', async () => {
    const { browser } = await registered();
    const first = browser.cookies.get('footnote_session');
    try {
      ahead = 9 * 60_000;
      await browser.call('GET', '/auth/me');
      expect(browser.cookies.get('footnote_session')).toBe(first);
      for (ahead = 50 * 60_000; ahead < 24 * 3_600_000; ahead += 50 * 60_000) {
        const answer = await browser.call('GET', '/auth/me');
        expect([ahead, answer.status, browser.cookies.get('footnote_session') === first]).toEqual([
          ahead,
          200,
          false,
        ]);
      }
      ahead = 24 * 3_600_000;
      expect((await browser.call('GET', '/auth/me')).status).toBe(401);
      ahead = 0;
      const idle = await registered();
      ahead = 61 * 60_000;
      expect((await idle.browser.call('GET', '/auth/me')).status).toBe(401);
    } finally {
      ahead = 0;
    }
  });

  it('are out within a second of what another process did, streams included', async () => {
    const { browser, me } = await registered();
    const id = (await browser.call<{ id: string }>('POST', '/sources', source)).body.id;
    const job = (await browser.call<{ job_id: string }>('POST', `/sources/${id}/sync`)).body.job_id;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const request = get({ port, path: `/jobs/${job}/stream`, headers: { cookie } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    let text = '';
    response.on('data', (chunk) => (text += String(chunk)));
    const ended = once(response, 'end');
    const session_id = sessionOf(browser);
    const data = { session_id, user_id: me.id, ends_at: me.session_ends_at };
    await api.store.append(
      `session-${session_id}`,
      [
        proposed(
          { type: 'SessionEnded', data },
          { tenant_id: me.tenant_id, occurred_at: new Date().toISOString() },
        ),
      ],
      'any',
    );
    const began = performance.now();
    while ((await browser.call('GET', '/auth/me')).status === 200) await sleep(10);
    await ended;
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(text).toMatch(/event: error\n(?:id:.*\n)?data: .*"code":"unauthorized"/);
  });

  it('are judged alike by a process that starts now', async () => {
    const changed = await registered();
    const left = await registered();
    const body = { current_password: PASSWORD, new_password: 'a better staple for horses' };
    await changed.browser.begin('/auth/password', body);
    const leftSession = { id: sessionOf(left.browser), epoch: 1 };
    await left.browser.call('POST', '/auth/logout');
    const readModel = api.app.get<ApiReadModel>(READ_MODEL, { strict: false });
    const users = new KnownUsers(
      new InMemoryProjections(api.store, silentLogger, clock, readModel),
    );
    const head = await api.store.head();
    if (head === null) throw new Error('The log is empty');
    users.projection.start();
    expect(await users.projection.waitFor(head, 30_000)).toBe(true);
    await users.projection.stop();
    for (const known of [users, api.app.get(KnownUsers, { strict: false })]) {
      const ended = (id: string, session: { id: string; epoch: number }) =>
        known.hasEnded(id, session);
      expect(known.find(changed.me.id)).toMatchObject({
        tenantId: changed.me.tenant_id,
        role: 'owner',
        epoch: 2,
      });
      expect(ended(changed.me.id, { id: 'any', epoch: 1 })).toBe(true);
      expect(ended(changed.me.id, { id: sessionOf(changed.browser), epoch: 2 })).toBe(false);
      expect([
        ended(left.me.id, leftSession),
        ended(left.me.id, { id: 'another', epoch: 1 }),
      ]).toEqual([true, false]);
      expect([known.find(uuidv7()), ended(uuidv7(), leftSession)]).toEqual([null, true]);
    }
  });

  it('come in by a provider: the account is made once, and one with the address already is not taken over', async () => {
    const external = api.app.get(ExternalSignIn, { strict: false });
    const { me, email } = await registered();
    const visitor = {
      requestId: 'request-1',
      http: { request_id: 'request-1', method: 'GET', path: '/auth/oidc/callback' },
      route: 'GET /auth/oidc/callback',
      pathParameters: {},
      idempotencyKey: undefined,
    };
    const person = {
      issuer: 'https://id.example.com',
      subject: 'ada',
      address: address(),
      displayName: 'Ada',
      tenantId: me.tenant_id,
      role: 'auditor' as const,
    };
    const first = await external.signIn(visitor, person);
    const again = await external.signIn(visitor, { ...person, address: address(), role: 'owner' });
    expect(again.userId).toBe(first.userId);
    expect(again.sessionId).not.toBe(first.sessionId);
    await expect(
      external.signIn(visitor, { ...person, subject: 'mallory', address: email }),
    ).rejects.toMatchObject({
      code: 'address_taken',
    });
    const later = await external.signIn(visitor, {
      ...person,
      subject: 'mallory',
      address: address(),
    });
    expect(later.userId).not.toBe(me.id);
    expect((await new Browser(api).login(person.address)).status).toBe(401);
  });

  it('are in no event in the clear, by address, name, password or what is made of it', async () => {
    const { browser, email } = await registered('Grace.Hopper+navy@example.org');
    await browser.call('PATCH', '/auth/me', { display_name: 'Rear Admiral Hopper' });
    await browser.call('POST', '/auth/password', {
      current_password: PASSWORD,
      new_password: 'nanoseconds of wire',
    });
    const types = new Set<string>();
    for (const event of await readLog(api.store)) {
      types.add(event.type);
      const text = JSON.stringify([event.stream, event.data, event.metadata]).toLowerCase();
      for (const secret of [email, 'hopper', 'argon2', PASSWORD, 'nanoseconds', 'rear admiral']) {
        expect([event.type, text.includes(secret.toLowerCase())]).toEqual([event.type, false]);
      }
      expect(text.includes(browser.csrf.toLowerCase())).toBe(false);
    }
    const people = [
      'UserRegistered',
      'UserRenamed',
      'UserPasswordChanged',
      'AddressReserved',
      'SessionStarted',
    ];
    expect([...types]).toEqual(expect.arrayContaining(people));
  });
});

const source = { name: 'Flask', source_type: 'repo', url: 'https://example.com/flask.git' };

function sessionOf(browser: Browser): string {
  const payload = browser.cookies.get('footnote_session')?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
}
