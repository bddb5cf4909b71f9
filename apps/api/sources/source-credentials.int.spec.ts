import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { StreamName } from '#contracts';
import { openCredentials } from '#ingest';
import { ApiHarness } from '#test/support/api/api-harness';
import { tempDir } from '#test/support/temp-dir';

const TOKEN = 'glpat-0123456789abcdefghij';
const HTTPS = {
  name: 'Private',
  source_type: 'repo',
  url: 'https://git.example.com/acme/site.git',
};
const SSH = { ...HTTPS, url: 'git@git.example.com:acme/site.git' };

interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
}

/** The value that anybody can compute for a guessed body. */
function plainHash(body: Readonly<Record<string, unknown>>): string {
  const sorted = Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256')
    .update(JSON.stringify([{}, sorted]))
    .digest('hex');
}

describe('the credentials of a source', () => {
  let api: ApiHarness;
  const folder = tempDir();
  beforeAll(async () => {
    api = await ApiHarness.start();
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  const register = async (body: object) => {
    const answer = await api.call<{ id: string }>('POST', '/sources', body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };

  const eventsOf = async (stream: StreamName) => {
    const events = [];
    for await (const { type, data, metadata } of api.store.read(stream))
      events.push({ type, data, metadata });
    return events;
  };

  function keyFile(name: string, passphrase = ''): string {
    const path = `${folder.path}/${name}`;
    execFileSync('ssh-keygen', [
      '-q',
      '-t',
      'ed25519',
      '-N',
      passphrase,
      '-C',
      'deploy',
      '-f',
      path,
    ]);
    return readFileSync(path, 'utf8');
  }

  it('are shown as nothing but that there are some, in every answer', async () => {
    const created = await api.call<{ id: string }>('POST', '/sources', {
      ...HTTPS,
      credentials: { token: TOKEN },
    });
    expect(created.body).toMatchObject({ has_credentials: true });
    expect(created.body).not.toHaveProperty('credentials');
    const read = await api.call('GET', `/sources/${created.body.id}`);
    expect(read.body).toEqual(created.body);
    const renamed = await api.call('PATCH', `/sources/${created.body.id}`, { name: 'Renamed' });
    expect(renamed.body).toMatchObject({ name: 'Renamed', has_credentials: true });
    const removed = await api.call('PATCH', `/sources/${created.body.id}`, { credentials: null });
    expect(removed.body).toMatchObject({ has_credentials: false });
    const without = await api.call('POST', '/sources', HTTPS);
    expect(without.body).toMatchObject({ has_credentials: false });
    const pages = { name: 'Pages', source_type: 'docs', url: 'https://docs.example.com' };
    expect((await api.call('POST', '/sources', pages)).body).not.toHaveProperty('has_credentials');
    const answers = [created, read, renamed, removed, await api.call('GET', '/sources')];
    expect(answers.map(({ text }) => text).join()).not.toContain(TOKEN);
  });

  it('are answered the same while nothing is projected', async () => {
    const id = await register(HTTPS);
    await api.whileNothingIsProjected(async () => {
      const changed = await api.call('PATCH', `/sources/${id}`, { credentials: { token: TOKEN } });
      expect(changed.body).toMatchObject({ has_credentials: true });
    });
  });

  it('are in the log sealed for their tenant, their source and the origin of its URL, and open nowhere else', async () => {
    const id = await register({ ...HTTPS, credentials: { username: 'deploy', token: TOKEN } });
    const other = await register(HTTPS);
    const [registered] = await eventsOf(`source-${id}`);
    expect(JSON.stringify(registered)).not.toContain(TOKEN);
    const { credentials } = registered?.data as { credentials: string };
    const open = (place: object) =>
      openCredentials(
        api.keyRing,
        { tenantId: api.tenantA, sourceId: id, origin: 'https://git.example.com:443', ...place },
        credentials,
      );
    expect(await open({})).toEqual({ username: 'deploy', token: TOKEN });
    await expect(open({ sourceId: other })).rejects.toThrow();
    await expect(open({ origin: 'https://evil.example.com:443' })).rejects.toThrow();
    expect(await open({ tenantId: api.tenantB })).toBeNull();
    const { body } = await api.call<{ job_id: string }>('POST', `/sources/${id}/sync`);
    const [requested] = await eventsOf(`job-${body.job_id}`);
    expect(requested).toMatchObject({ type: 'JobRequested', data: { source_revision: 0 } });
    expect(JSON.stringify(requested)).not.toContain(credentials);
  });

  it('do not follow a URL to another place when it is changed', async () => {
    const id = await register({ ...HTTPS, credentials: { token: TOKEN } });
    const move = (url: string, fields: object = {}) =>
      api.call<Refusal>('PATCH', `/sources/${id}`, { url, ...fields });
    for (const url of [
      'https://evil.example.com/acme/site.git',
      'https://git.example.com:8443/acme/site.git',
      'git@git.example.com:acme/site.git',
    ]) {
      const refused = await move(url);
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ field: 'credentials', message: expect.stringContaining('were given for another host') }],
      ]);
    }
    expect((await move('https://git.example.com/acme/renamed.git')).status).toBe(200);
    expect(
      (await move('https://new.example.com/a.git', { credentials: { token: 'another' } })).status,
    ).toBe(200);
    const gone = await move('https://third.example.com/a.git', { credentials: null });
    expect(gone.body).toMatchObject({ has_credentials: false });
  });

  it.each<[string, object, object, string]>([
    ['both', HTTPS, { token: TOKEN, ssh_key: 'x' }, 'takes either token or ssh_key'],
    ['neither', HTTPS, {}, 'takes either token or ssh_key'],
    ['a name alone', HTTPS, { username: 'me' }, 'takes either token or ssh_key'],
    [
      'a token over ssh',
      SSH,
      { token: TOKEN },
      'needs ssh_key for an ssh url; a token is for https',
    ],
    [
      'a key over https',
      HTTPS,
      { ssh_key: 'x' },
      'needs a token for an https url; ssh_key is for ssh',
    ],
    ['a name for ssh', SSH, { username: 'me', ssh_key: 'x' }, 'takes username with a token alone'],
    [
      'a colon in the name',
      HTTPS,
      { username: 'a:b', token: TOKEN },
      'has a username with a colon in it',
    ],
    [
      'what is no key',
      SSH,
      { ssh_key: 'ssh-ed25519 AAAA deploy' },
      'needs the text of a private key file',
    ],
    [
      'a file',
      { ...HTTPS, url: 'file:///srv/a.git' },
      { token: TOKEN },
      'does not apply to file:// repositories',
    ],
    [
      'http',
      { ...HTTPS, url: 'http://git.example.com/a' },
      { token: TOKEN },
      'is not sent over http://',
    ],
    [
      'docs',
      { name: 'D', source_type: 'docs', url: 'https://d.example.com' },
      { token: TOKEN },
      'applies to repo',
    ],
  ])('are refused where they do not fit: %s', async (_, source, credentials, message) => {
    const { status, body, text } = await api.call<Refusal>('POST', '/sources', {
      ...source,
      credentials,
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.details).toEqual([
      { field: 'credentials', message: expect.stringContaining(message) },
    ]);
    expect(text).not.toContain(TOKEN);
  });

  it.each([
    ['a line end', { token: `${TOKEN}\r\nX-Evil: 1` }, 'credentials.token'],
    ['an unknown field', { token: TOKEN, password: 'x' }, 'credentials.password'],
    ['a list', [TOKEN], 'credentials'],
    ['a text', TOKEN, 'credentials'],
  ])('are refused with %s, and not repeated in the refusal', async (_, credentials, field) => {
    const { status, body, text } = await api.call<Refusal>('POST', '/sources', {
      ...HTTPS,
      credentials,
    });
    expect([status, body.details[0]?.field]).toEqual([400, field]);
    expect(text).not.toContain(TOKEN);
  });

  it('are refused by PATCH as by POST, for a source of another tenant as for none', async () => {
    const id = await register(SSH);
    const patch = (key: string) =>
      api.call<Refusal>('PATCH', `/sources/${id}`, { credentials: { token: TOKEN } }, { key });
    expect((await patch(api.keyA)).body.details[0]?.message).toContain('needs ssh_key');
    expect((await patch(api.keyB)).status).toBe(404);
  });

  it('are a key as ssh-keygen writes it, without a passphrase', async () => {
    const plain = keyFile('plain');
    const created = await api.call('POST', '/sources', { ...SSH, credentials: { ssh_key: plain } });
    expect(created.body).toMatchObject({ has_credentials: true });
    const locked = { ssh_key: keyFile('locked', 'passphrase') };
    const refused = await api.call<Refusal>('POST', '/sources', { ...SSH, credentials: locked });
    expect(refused.body.details[0]?.message).toBe(
      'has an ssh_key with a passphrase; make one without',
    );
    const cut = await api.call('POST', '/sources', {
      ...SSH,
      credentials: { ssh_key: plain.slice(0, 150) },
    });
    expect(cut.status).toBe(400);
  });

  it('count for an idempotency key, and leave no hash in the log that could be tried out', async () => {
    const key = 'a-key-of-the-client';
    const post = (token: string) =>
      api.call<{ id: string }>(
        'POST',
        '/sources',
        { ...HTTPS, credentials: { token } },
        { headers: { 'idempotency-key': key } },
      );
    const first = await post('hunter2');
    expect(first.status).toBe(201);
    expect((await post('hunter2')).body.id).toBe(first.body.id);
    expect((await post('hunter3')).body).toMatchObject({ code: 'idempotency_key_reused' });
    const [registered, ...others] = await eventsOf(`source-${first.body.id}`);
    expect(others).toEqual([]);
    expect(registered?.metadata.idempotency?.body_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(registered?.metadata.idempotency?.body_hash).not.toBe(
      plainHash({ ...HTTPS, credentials: { token: 'hunter2' } }),
    );

    const headers = { 'idempotency-key': 'another-key' };
    const open = await api.call<{ id: string }>('POST', '/sources', HTTPS, { headers });
    const [without] = await eventsOf(`source-${open.body.id}`);
    expect(without?.metadata.idempotency?.body_hash).toBe(plainHash(HTTPS));
  });

  it('are refused once the key of the tenant is gone', async () => {
    const id = await register(HTTPS);
    await api.keyRing.destroy(api.tenantA);
    const refused = await api.call<Refusal>('PATCH', `/sources/${id}`, {
      credentials: { token: TOKEN },
    });
    expect(refused.body.details[0]?.message).toBe(
      "cannot be kept: this tenant's data key was destroyed",
    );
  });
});
