import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { UNVERIFIED_BODY_BYTES } from '#apps/api/edge/use-body-budget';
import type { KeyList, PushHookView, SourceList } from '#contracts/http/index';
import type { KeyRing } from '#platform';
import { newApiKeySecret } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { type HttpClient, httpClientOf } from '#test/support/api/http-client';
import { pathOf, routesOf } from '#test/support/api/routes';
import { countingStore, type LogWork } from '#test/support/counting-store';

interface Answer<Body = unknown> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Sign-ins and registrations look for an account, and anybody may try one: so many reads and
 * appends for each, whatever it sends.
 */
const MOST_LOG_WORK = 4;
const SIGN_INS = /^POST \/auth\/(?:login|register|accept)$/;
/** Background work counts towards the request that runs with it, not towards all its tries. */
const TRIES = 3;
const OIDC = /\/auth\/oidc\//;

type Sent = readonly [label: string, body: string, headers: Record<string, string>];

/** Heads that no route may spend work on, by what they are. */
const HEADS: readonly Sent[] = [
  ['the largest head', '{}', { 'x-junk': 'x'.repeat(12_000) }],
  ['a forged key', '{}', { authorization: `Bearer ${newApiKeySecret().secret}` }],
  ['a forged session', '{}', { cookie: `footnote_session=${'x'.repeat(7_000)}` }],
  ['a forged signature', '{}', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }],
];
/**
 * The largest legal and illegal bodies. All routes have one parser: those that strangers may call,
 * and some others, show it.
 */
const BODIES: readonly Sent[] = [
  ['the largest JSON body', JSON.stringify({ name: 'x'.repeat(1_048_000) }), {}],
  [
    'ninety thousand fields',
    `{${Array.from({ length: 90_000 }, (_, nth) => `"f${nth}":1`).join(',')}}`,
    {},
  ],
  ['deep nesting', '['.repeat(500_000), {}],
  ['a body over the limit', 'x'.repeat(9_000_000), {}],
];
const WITH_BODIES =
  /^POST \/(?:auth\/(?:login|register|accept)|sources|sources\/:source_id\/hooks\/push|search|nowhere)$/;

describe('requests of strangers', () => {
  let api: ApiHarness;
  let http: HttpClient;
  let source: string;
  const work: LogWork = { reads: 0, appends: 0 };
  let keyRingIsFull = false;

  beforeAll(async () => {
    const sealedBy = (ring: KeyRing): KeyRing => ({
      seal: async (...given) => {
        if (keyRingIsFull)
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        return ring.seal(...given);
      },
      open: (...given) => ring.open(...given),
      standing: (tenantId) => ring.standing(tenantId),
      destroy: (tenantId) => ring.destroy(tenantId),
    });
    const environment = { RATE_LIMIT_FAILED_AUTH: '0', RATE_LIMIT_ADDRESS: '0' };
    api = await ApiHarness.start({
      environment,
      sealedBy,
      between: (log) => countingStore(log, work),
    });
    http = await httpClientOf(api);
    source = await api.createSource();
    expect((await api.call<PushHookView>('POST', `/sources/${source}/hooks`)).status).toBe(201);
  });
  afterAll(() => api.stop());

  const send = (method: string, path: string) => http.request[method.toLowerCase() as 'post'](path);
  const asA = (method: string, path: string) =>
    send(method, path).set('authorization', `Bearer ${api.keyA}`);

  it('do bounded work on every route, whatever their heads and bodies', async () => {
    // The uses of keys are noted in the background.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { bodyBudget } = api.app.getHttpAdapter().getInstance();
    const routes = routesOf(api.app).filter(
      (route) => !OIDC.test(route) && !/\*|^OPTIONS /.test(route),
    );
    for (const route of [...routes, 'POST /nowhere']) {
      const [method = ''] = route.split(' ');
      const path = pathOf(route, { source_id: source }, unknownId());
      const most = SIGN_INS.test(route) ? MOST_LOG_WORK : 0;
      for (const [label, body, headers] of WITH_BODIES.test(route)
        ? [...HEADS, ...BODIES]
        : HEADS) {
        let done = Number.POSITIVE_INFINITY;
        for (let tries = 0; done > most && tries < TRIES; tries += 1) {
          Object.assign(work, { reads: 0, appends: 0 });
          const request = send(method, path).set({
            'content-type': 'application/json',
            ...headers,
          });
          const { status } = await (method === 'GET' ? request : request.send(body));
          done = work.reads + work.appends;
          expect({ route, label, answered: status < 500 }).toEqual({
            route,
            label,
            answered: true,
          });
          expect(bodyBudget.held).toBeLessThanOrEqual(UNVERIFIED_BODY_BYTES);
        }
        expect({ route, label, done: Math.max(done, most) }).toEqual({ route, label, done: most });
      }
    }
    while (bodyBudget.held > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('are answered as those of a full disk where a data key has yet to be made', async () => {
    keyRingIsFull = true;
    const key = newApiKeySecret().secret;
    await api.issueKey(api.tenantB, key, ['read', 'write']);
    const search = await send('POST', '/search')
      .set('authorization', `Bearer ${key}`)
      .send({ query: 'x' });
    const account = {
      email: 'new@example.com',
      password: 'correct horse battery staple',
      tenant_name: 'New',
    };
    const register = await send('POST', '/auth/register').send(account);
    keyRingIsFull = false;
    for (const { status, body } of [search, register]) {
      expect([status, body]).toMatchObject([507, { code: 'storage_full' }]);
    }
  });

  it('get 400 for a timestamp that no event can hold', async () => {
    const { status, body } = (await asA('POST', '/keys').send({
      name: 'x',
      expires_at: '9999-12-31T23:59:59-05:00',
    })) as Answer;
    expect([status, body]).toMatchObject([
      400,
      { code: 'validation_failed', details: [{ field: 'expires_at' }] },
    ]);
  });

  it('get 400 for an ecosystem without a registry, with those that have one', async () => {
    const wanted = { query: 'x', package_name: 'serde', ecosystem: 'cargo' };
    const { status, body } = (await asA('POST', '/packages/search').send(wanted)) as Answer<{
      error: string;
    }>;
    expect([status, body]).toMatchObject([400, { code: 'registry_not_configured' }]);
    expect(body.error).toContain('configured ecosystems: npm, pypi');
  });

  it('are asked what they meant by an unknown field or parameter', async () => {
    const inBody = await asA('POST', '/search').send({ query: 'x', topk: 3 });
    const inQuery = await asA('GET', '/search?query=x&topK=3');
    for (const { status, body } of [inBody, inQuery] as Answer<{ error: string }>[]) {
      expect(status).toBe(400);
      expect(body.error).toContain('is not a known field; did you mean top_k?');
    }
  });

  it('see when a key was used last at once, and why a sync waits', async () => {
    const lastUse = async () => {
      const { body } = (await asA('GET', '/keys')) as Answer<KeyList>;
      return Math.max(
        ...body.keys.map(({ last_used_at }) => Date.parse(last_used_at ?? '1970-01-01')),
      );
    };
    const before = Date.now();
    expect(await lastUse()).toBeGreaterThanOrEqual(before);

    const job_id = unknownId();
    const url = 'https://git.example.org/team/app.git';
    const requested = {
      job_id,
      source_id: source,
      url,
      source_revision: 0,
      generation: 1,
      base: null,
      max_retries: 3,
    };
    const failed = {
      stage: 'fetch',
      attempt: 1,
      error_message: 'The host cannot be reached',
      error_details: null,
    } as const;
    const retry_at = '2026-01-02T03:05:00.000Z';
    await api.append(api.tenantA, `source-${source}`, {
      type: 'SourceSyncRequested',
      data: { source_id: source, job_id },
    });
    await api.append(
      api.tenantA,
      `job-${job_id}`,
      { type: 'JobRequested', data: requested },
      { type: 'JobStageStarted', data: { job_id, stage: 'fetch', attempt: 1, worker: 'w' } },
      {
        type: 'JobStageFailed',
        data: { job_id, ...failed, retryable: true, retry_count: 1, retry_at },
      },
    );
    const { body } = (await asA('GET', '/sources')) as Answer<SourceList>;
    const shown = body.sources.find(({ id }) => id === source);
    expect(shown).toMatchObject({ status: 'syncing', last_error: null });
    expect(shown?.sync_message).toContain(
      `The host cannot be reached. It is tried again at ${retry_at}`,
    );
  });
});
