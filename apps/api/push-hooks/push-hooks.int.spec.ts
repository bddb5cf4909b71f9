import { createHmac, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { PUSH_BODY_LIMIT } from '#apps/api/edge/raw-push-body';
import { hookSecretContext } from '#apps/api/push-hooks/hook-secret-seal';
import type { PushAnswer, PushHookView } from '#contracts/http/index';
import type { Sealed } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';

const ZEROS = '0'.repeat(40);

describe('push hooks', () => {
  let api: ApiHarness;
  let source: string;
  let secret: string;
  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { PUBLIC_URL: 'https://footnote.example.com' } });
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    source = await api.createSource();
    secret = await makeHook(source);
  });

  async function makeHook(id: string, key = api.keyA): Promise<string> {
    const { status, body } = await api.call<PushHookView>(
      'POST',
      `/sources/${id}/hooks`,
      undefined,
      { key },
    );
    expect([status, body.url]).toEqual([
      201,
      `https://footnote.example.com/sources/${id}/hooks/push`,
    ]);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    return body.secret ?? '';
  }
  /** A push event of GitHub; each is another one unless `after` is given. */
  const push = (ref = 'refs/heads/main', after: string = randomUUID()) =>
    JSON.stringify({ ref, before: ZEROS, after, repository: { default_branch: 'main' } });
  const hmac = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex');
  function deliver(body: string, headers: Record<string, string>, id = source) {
    const sent = { 'content-type': 'application/json', ...headers };
    return api.call<PushAnswer & { code: string }>('POST', `/sources/${id}/hooks/push`, body, {
      key: null,
      headers: sent,
    });
  }
  const github = (body: string, more: Record<string, string> = {}) =>
    deliver(body, {
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${hmac(body)}`,
      ...more,
    });
  async function typesOf(id = source): Promise<string[]> {
    const types: string[] = [];
    for await (const { type } of api.store.read(`source-${id}`)) types.push(type);
    return types;
  }
  const syncsOf = async (id = source) =>
    (await typesOf(id)).filter((type) => type === 'SourceSyncRequested').length;
  async function endJob(jobId: string | undefined): Promise<void> {
    const data = { job_id: jobId ?? '', source_id: source };
    await api.append(api.tenantA, `job-${jobId}`, { type: 'JobCancelled', data });
  }

  it.each<[string, (body: string) => Record<string, string>]>([
    [
      'GitHub',
      (body) => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(body)}` }),
    ],
    ['Gitea', (body) => ({ 'x-gitea-event': 'push', 'x-gitea-signature': hmac(body) })],
    ['Forgejo', (body) => ({ 'x-forgejo-event': 'push', 'x-forgejo-signature': hmac(body) })],
    ['GitLab, token', () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret })],
    [
      'GitLab, signed',
      (body) => {
        const seconds = String(Math.floor(Date.now() / 1_000));
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        const mac = createHmac('sha256', key).update(`d1.${seconds}.${body}`).digest('base64');
        const signed = {
          'webhook-id': 'd1',
          'webhook-timestamp': seconds,
          'webhook-signature': `v1,${mac}`,
        };
        return { 'x-gitlab-event': 'Push Hook', ...signed };
      },
    ],
  ])('start a sync on a push of %s', async (_, headersFor) => {
    const body = push();
    const { status, body: answer } = await deliver(body, headersFor(body));
    expect([status, answer.status]).toEqual([202, 'started']);
    expect((await api.call('GET', `/jobs/${answer.job_id}`)).body).toMatchObject({
      source_id: source,
      status: 'pending',
    });
    expect((await api.call('GET', `/sources/${source}`)).body).toMatchObject({ status: 'syncing' });
    const again = await deliver(body, headersFor(body));
    expect([again.status, again.body.status]).toEqual([200, 'repeated']);
    await endJob(answer.job_id);
    const later = await deliver(body, headersFor(body));
    expect([later.status, later.body.status]).toEqual([200, 'repeated']);
    expect(await syncsOf()).toBe(1);
  });

  it('start nothing twice for one delivery that comes many times at once, under any id', async () => {
    const body = push();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => github(body, { 'x-github-delivery': randomUUID() })),
    );
    const jobs = new Set(answers.flatMap(({ body: { job_id } }) => job_id ?? []));
    expect(answers.map(({ body: { status } }) => status)).not.toContain('queued');
    expect(jobs.size).toBe(1);
    expect(await typesOf()).toEqual(['SourceRegistered', 'SourceHookSet', 'SourceSyncRequested']);
  });

  it('remember a push that comes while a sync runs, and each such delivery once', async () => {
    const first = await github(push());
    const body = push();
    const second = await github(body);
    expect([second.status, second.body.status]).toEqual([202, 'queued']);
    expect((await github(body)).body.status).toBe('repeated');
    await endJob(first.body.job_id);
    expect((await github(body)).body.status).toBe('repeated');
    expect(await typesOf()).toEqual([
      ...['SourceRegistered', 'SourceHookSet', 'SourceSyncRequested', 'SourceSyncQueued'],
    ]);
  });

  it.each([
    ['another branch', { ref: 'refs/heads/feature', after: 'a' }, 'push'],
    ['a deleted branch', { ref: 'refs/heads/main', after: ZEROS, deleted: true }, 'push'],
    ['another event', { action: 'opened' }, 'issues'],
  ])('let %s pass with a word', async (_, payload, event) => {
    const { status, body } = await github(JSON.stringify(payload), { 'x-github-event': event });
    expect([status, body.status]).toEqual([200, 'ignored']);
    expect(await syncsOf()).toBe(0);
  });

  it('answer a ping, and take the form that GitHub sends by default', async () => {
    const ping = await github('{"zen":"Keep it logically awesome."}', { 'x-github-event': 'ping' });
    expect([ping.status, ping.body.status]).toEqual([200, 'pong']);
    const form = new URLSearchParams({ payload: push() }).toString();
    const taken = await github(form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([taken.status, taken.body.status]).toEqual([202, 'started']);
    const elsewhere = await api.call('POST', '/sources', form, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(elsewhere.status).toBe(415);
  });

  it('refuse what is not signed with the secret of this very source', async () => {
    const theirs = await api.createSource('Theirs', api.keyB);
    const theirSecret = await makeHook(theirs, api.keyB);
    const body = push();
    for (const headers of [
      {},
      { authorization: `Bearer ${api.keyA}` },
      { 'x-hub-signature-256': `sha256=${hmac(body, theirSecret)}` },
      { 'x-hub-signature-256': `sha256=${hmac(`${body} `)}` },
      { 'x-gitlab-token': theirSecret },
    ]) {
      const { status, body: answer } = await deliver(body, {
        'x-github-event': 'push',
        ...headers,
      });
      expect([status, answer.code]).toEqual([401, 'unauthorized']);
    }
    expect(await syncsOf()).toBe(0);
    expect(await syncsOf(theirs)).toBe(0);
  });

  it('answer for an unknown, malformed or removed source, and one without a hook, as for a wrong signature', async () => {
    const without = await api.createSource('No hook');
    const removed = await api.createSource('Gone');
    await makeHook(removed);
    await api.call('DELETE', `/sources/${removed}`);
    const body = push();
    const answerOf = async (id: string, signed: string) => {
      const { status, body: answer } = await deliver(
        body,
        { 'x-hub-signature-256': `sha256=${hmac(signed)}` },
        id,
      );
      return [status, { ...answer, request_id: '' }];
    };
    const wrong = await answerOf(source, 'another body');
    expect(wrong).toMatchObject([401, { code: 'unauthorized' }]);
    for (const id of [unknownId(), 'nonsense', without, removed])
      expect(await answerOf(id, body)).toEqual(wrong);
  });

  it('are changed and removed by their tenant alone, and an old secret is refused at once', async () => {
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await api.call(method, `/sources/${source}/hooks`, undefined, {
        key: api.keyB,
      });
      expect([status, body['code']]).toEqual([404, 'source_not_found']);
    }
    const old = secret;
    secret = await makeHook(source);
    const body = push();
    expect(
      (await deliver(body, { 'x-hub-signature-256': `sha256=${hmac(body, old)}` })).status,
    ).toBe(401);
    expect((await github(body)).status).toBe(202);
    expect((await api.call('GET', `/sources/${source}`)).body).toMatchObject({
      has_push_hook: true,
    });
    expect((await api.call('DELETE', `/sources/${source}/hooks`)).status).toBe(204);
    expect((await api.call('GET', `/sources/${source}`)).body).toMatchObject({
      has_push_hook: false,
    });
    expect((await github(push())).status).toBe(401);
    expect((await api.call('DELETE', `/sources/${source}/hooks`)).status).toBe(204);
  });

  it('show their secret once and keep it sealed for this hook alone', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [made, repeated] = [
      await api.call<PushHookView>('POST', `/sources/${source}/hooks`, undefined, { headers }),
      await api.call<PushHookView>('POST', `/sources/${source}/hooks`, undefined, { headers }),
    ];
    expect(repeated.status).toBe(201);
    expect(repeated.body).toEqual({ url: made.body.url });
    const wanted = made.body.secret ?? 'none';
    expect((await api.call('GET', `/sources/${source}`)).text).not.toContain(wanted);
    let kept: { hook_id: string; secret: string } | undefined;
    for await (const { type, data, metadata } of api.store.read(`source-${source}`)) {
      expect(JSON.stringify([data, metadata])).not.toContain(wanted.slice('whsec_'.length));
      if (type === 'SourceHookSet') kept = data as unknown as typeof kept;
    }
    const { hook_id = '', secret: sealed = '' } = kept ?? {};
    const open = (context: string) => api.keyRing.open(api.tenantA, context, sealed as Sealed);
    expect(await open(hookSecretContext(source, hook_id))).toBe(wanted);
    await expect(open(hookSecretContext(unknownId(), hook_id))).rejects.toThrow();
  });

  it('take bodies over the limit of other routes, up to their own', async () => {
    const padded = (bytes: number) =>
      JSON.stringify({ ...(JSON.parse(push()) as object), pad: 'x'.repeat(bytes) });
    expect((await github(padded(3 * 1024 * 1024))).status).toBe(202);
    const { status, text } = await github(padded(PUSH_BODY_LIMIT));
    expect(status).toBe(413);
    expect(text).toContain(PUSH_BODY_LIMIT.toLocaleString('en'));
  });

  it('sync by themselves at an interval of at least 300 seconds, which the view shows', async () => {
    const repo = { name: 'Timed', source_type: 'repo', url: 'https://example.com/timed.git' };
    for (const wrong of [299, -1, 300.5, '300', null, 31_536_001]) {
      const { status, body } = await api.call('POST', '/sources', {
        ...repo,
        sync_interval_seconds: wrong,
      });
      expect([wrong, status, body['code']]).toEqual([wrong, 400, 'validation_failed']);
    }
    type View = {
      id: string;
      sync_interval_seconds: number;
      next_sync_at: string | null;
      created_at: string;
    };
    const { body: off } = await api.call<View>('POST', '/sources', {
      ...repo,
      sync_interval_seconds: 0,
    });
    expect(off).toMatchObject({ sync_interval_seconds: 0, next_sync_at: null });
    const { body: timed } = await api.call<View>('POST', '/sources', {
      ...repo,
      sync_interval_seconds: 300,
    });
    const waits = Date.parse(timed.next_sync_at ?? '') - Date.parse(timed.created_at);
    expect(waits).toBeGreaterThanOrEqual(300_000);
    expect(waits).toBeLessThanOrEqual(330_000);
    expect((await api.call('GET', `/sources/${timed.id}`)).body).toEqual(timed);

    const running = await api.call<{ job_id: string }>('POST', `/sources/${timed.id}/sync`);
    expect((await api.call('GET', `/sources/${timed.id}`)).body).toMatchObject({
      next_sync_at: null,
    });
    const ended = new Date('2026-03-01T00:00:00.000Z');
    const data = { job_id: running.body.job_id, source_id: timed.id };
    await api.appendAt(ended, api.tenantA, `job-${data.job_id}`, { type: 'JobCancelled', data });
    const next = new Date(ended.getTime() + waits).toISOString();
    expect((await api.call('GET', `/sources/${timed.id}`)).body).toMatchObject({
      next_sync_at: next,
    });

    const changed = await api.call<View>('PATCH', `/sources/${off.id}`, {
      sync_interval_seconds: 600,
    });
    expect(changed.body).toMatchObject({
      sync_interval_seconds: 600,
      next_sync_at: expect.any(String),
    });
    const stopped = await api.call<View>('PATCH', `/sources/${off.id}`, {
      sync_interval_seconds: 0,
    });
    expect(stopped.body).toMatchObject({ sync_interval_seconds: 0, next_sync_at: null });
    for (const field of ['next_sync_at', 'has_push_hook']) {
      const { body } = await api.call('PATCH', `/sources/${off.id}`, { [field]: null });
      expect(body).toMatchObject({ details: [{ field, message: 'cannot be changed' }] });
    }
  });
});
