import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { EventStore } from '#event-store';
import { createLogger, uuidv7 } from '#platform';
import { type ApiAnswer, ApiHarness, unknownId } from '#test/support/api/api-harness';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';
import { pathOf, routesOf } from '#test/support/api/routes';
import { UNLIMITED } from '#test/support/limits';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { readLog } from '#test/support/read-log';

import { KnownUsers } from './auth/known-users.js';
import { SessionTokens } from './auth/session-tokens.js';
import { PersonalText } from './people/accounts/personal-text.js';

/** Included in every text of tenant B. */
const MARK = `cny${randomBytes(8).toString('hex')}`;
const canary = (kind: string) => `${MARK}${kind}`;
/** A number that tenant B alone has. */
const NUMBER = 7_654_321;

interface Input {
  readonly query?: string;
  readonly body?: object | string;
}
const NONE: Input = {};
const WRONG: Input = { body: '{"broken' };
const SOURCE = { name: 'Own', source_type: 'repo', url: 'https://example.com/own.git' };
const PERSON = { email: 'grace@example.com', password: 'correct horse battery staple' };

const mcpCall = (name: string, given: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

/**
 * Requests of tenant A to every route; a missing route fails the test. Ids are A's own, B's and
 * nobody's in turn.
 */
const ROUTES: Readonly<Record<string, readonly Input[]>> = {
  'GET /': [NONE],
  'GET /docs': [NONE],
  'GET /docs/': [NONE],
  'GET /docs/*': [NONE],
  'GET /docs/LICENSE': [NONE],
  'GET /docs/docs/swagger-ui-init.js': [NONE],
  'GET /docs/index.html': [NONE],
  'GET /docs/swagger-ui-init.js': [NONE],
  'GET /health/live': [NONE],
  'GET /health/ready': [NONE],
  'GET /asyncapi.json': [NONE],
  'GET /openapi.json': [NONE],
  'GET /schemas/:event_type/:version': [NONE],
  'GET /sources': [
    NONE,
    { query: '?limit=100' },
    { query: '?as_of_seq=1' },
    { query: '?status=error' },
    { query: '?limit=x' },
  ],
  'POST /sources': [{ body: SOURCE }, { body: { ...SOURCE, url: 'x' } }, WRONG],
  'POST /sources/upload': [NONE],
  'GET /sources/:source_id': [NONE, { query: '?as_of_seq=1' }],
  'GET /sources/:source_id/diff': [{ query: '?from=1' }, NONE],
  'GET /sources/:source_id/history': [NONE],
  'PATCH /sources/:source_id': [{ body: { name: 'Renamed' } }, WRONG],
  'POST /sources/:source_id/sync': [NONE],
  'GET /sources/:source_id/content': [{ query: '?path=a.ts' }, { query: '?path=quokka.ts' }, NONE],
  'POST /sources/:source_id/hooks': [NONE],
  'DELETE /sources/:source_id/hooks': [NONE],
  'POST /sources/:source_id/hooks/push': [{ body: {} }],
  'GET /jobs': [NONE, { query: '?limit=100' }, { query: '?status=failed' }],
  'GET /jobs/:job_id': [NONE],
  'GET /jobs/:job_id/stream': [NONE],
  'GET /rover/jobs/:rover_job_id/stream': [NONE],
  'POST /jobs/:job_id/cancel': [NONE],
  'GET /search': [{ query: '?query=quokka' }, { query: '?query=zzz' }, NONE],
  'POST /search': [
    { body: { query: 'quokka wallaby' } },
    { body: { query: 'export const' } },
    WRONG,
  ],
  'POST /search/rmh': [{ body: { query: 'quokka wallaby' } }, WRONG],
  'POST /chat': [{ body: { query: 'quokka wallaby' } }, WRONG],
  'POST /chat/stream': [{ body: { query: 'quokka wallaby' } }, WRONG],
  'POST /chat/upload-pdf': [NONE],
  'GET /conversations': [NONE],
  'POST /conversations': [{ body: { title: 'Own' } }, WRONG],
  'GET /conversations/:conversation_id': [NONE],
  'PATCH /conversations/:conversation_id': [{ body: { title: 'Own' } }],
  'DELETE /conversations/:conversation_id': [NONE],
  'GET /packages/search': [NONE],
  'POST /packages/search': [WRONG],
  'GET /packages/global': [NONE],
  'GET /packages/global/:package_id': [NONE],
  'POST /packages/add': [WRONG],
  'GET /packages/my-packages': [NONE],
  'DELETE /packages/my-packages/:link_id': [NONE],
  'GET /quota': [NONE],
  'GET /quota/usage': [NONE],
  'GET /mcp': [NONE],
  'DELETE /mcp': [NONE],
  'POST /mcp': [
    { body: mcpCall('search', { query: 'wombat' }) },
    { body: mcpCall('list_sources', {}) },
    { body: mcpCall('read_file', { source: 'wombat', path: 'wombat.ts' }) },
    { query: '?tools=manage', body: mcpCall('sync_source', { source: 'Theirs' }) },
    { query: '?tools=audit', body: mcpCall('audit_events', {}) },
    WRONG,
  ],
  'GET /rover/jobs': [NONE, { query: '?per_page=100' }, { query: '?page=0' }],
  'POST /rover/jobs': [{ body: { question: 'wombat' } }, WRONG],
  'GET /rover/jobs/:rover_job_id': [NONE],
  'DELETE /rover/jobs/:rover_job_id': [NONE],
  'POST /rover/jobs/:rover_job_id/verify': [NONE],
  'GET /receipts/:receipt_id': [NONE],
  'POST /receipts/:receipt_id/replay': [NONE],
  'GET /keys': [NONE, { query: '?limit=100' }],
  'POST /keys': [{ body: { name: 'own' } }, WRONG],
  'DELETE /keys/:key_id': [NONE],
  'GET /audit/events': [
    NONE,
    { query: '?limit=100&order=asc' },
    { query: '?action=source.*' },
    { query: '?target_type=source' },
  ],
  'GET /audit/events/:event_id': [NONE],
  'GET /analytics/searches': [NONE, { query: '?bucket=hour' }],
  'GET /analytics/no-evidence': [NONE, { query: '?bucket=hour' }],
  'GET /analytics/stale-hits': [NONE, { query: '?bucket=hour' }],
  'GET /analytics/usage': [NONE, { query: '?bucket=hour' }],
  'GET /analytics/jobs': [NONE, { query: '?bucket=hour' }],
  'GET /audit/export': [
    NONE,
    { query: '?format=csv' },
    { query: '?format=ocsf&omit=data' },
    { query: '?category=admin' },
    { query: '?omit=all' },
  ],
  'GET /audit/checkpoints': [NONE],
  'POST /audit/checkpoints': [NONE],
  'GET /audit/keys': [NONE],
  'GET /audit/log/checkpoint': [NONE],
  'GET /audit/log/tile/*': [NONE],
  'GET /audit/proof': [{ query: '?seq=0' }, NONE],
  'GET /audit/consistency': [{ query: '?from=1' }, NONE],
  'GET /audit/verify': [NONE],
  'POST /audit/verify': [{ body: { checkpoint: 'x' } }, WRONG],
  'GET /events': [
    NONE,
    { query: '?limit=100' },
    { query: '?types=PolicyUpdated' },
    { query: '?types=Unknown' },
  ],
  'GET /policy': [NONE, { query: '?as_of_seq=0' }, { query: '?as_of=x' }],
  'GET /policy/diff': [{ query: '?from_seq=0' }, NONE],
  'GET /policy/history': [NONE],
  'GET /webhooks': [NONE],
  'POST /webhooks': [{ body: { name: 'Own', url: 'https://own.example.com/' } }, WRONG],
  'GET /webhooks/:webhook_id': [NONE],
  'PATCH /webhooks/:webhook_id': [{ body: { name: 'Own' } }, WRONG],
  'POST /webhooks/:webhook_id/test': [NONE],
  'POST /webhooks/:webhook_id/rotate-secret': [NONE],
  'GET /webhooks/:webhook_id/deliveries': [NONE],
  'POST /webhooks/:webhook_id/deliveries/:event_id/redeliver': [NONE],
  'DELETE /webhooks/:webhook_id': [NONE],
  'PUT /policy': [{ body: { min_evidence_count: 1 } }, WRONG],
  'POST /policy/reset': [NONE],
  'POST /policy/simulate': [{ body: { policy: {} } }, WRONG],
  'POST /policy/rollback': [{ body: { revision: 0 } }, WRONG],
  'POST /auth/register': [{ body: { ...PERSON, tenant_name: 'C' } }, WRONG],
  'POST /auth/login': [{ body: PERSON }, { body: { ...PERSON, password: 'wrong' } }],
  'POST /auth/accept': [{ body: { token: 'x'.repeat(43), password: PERSON.password } }],
  'GET /auth/oidc/callback': [NONE, { query: '?code=x&state=x' }],
  'GET /auth/oidc/login': [NONE],
  'GET /auth/me': [NONE],
  'PATCH /auth/me': [{ body: { display_name: 'Grace' } }],
  'POST /auth/password': [{ body: { current_password: 'wrong', new_password: PERSON.password } }],
  'GET /members': [NONE],
  'PATCH /members/:user_id': [{ body: { role: 'member' } }],
  'DELETE /members/:user_id': [NONE],
  'GET /invitations': [NONE],
  'POST /invitations': [{ body: { role: 'member' } }],
  'DELETE /invitations/:invitation_id': [NONE],
  'DELETE /sources/:source_id': [NONE],
  'DELETE /auth/me': [{ body: { confirm: 'no' } }],
  'GET /legal-hold': [NONE],
  'PUT /legal-hold': [{ body: { reason: 'A case of our own' } }, WRONG],
  'DELETE /legal-hold': [{ body: { reason: 'Closed' } }, WRONG],
  'DELETE /tenant': [{ body: { confirm: 'no' } }],
  'POST /auth/logout': [NONE],
  'POST /auth/logout-everywhere': [NONE],
  'GET /metrics': [NONE],
};
const WITH_ID = Object.keys(ROUTES).filter((route) => route.includes(':'));

type Ids = Readonly<Record<string, string>>;
/** Credentials of a request. */
type Speaker = (method: string) => Promise<Record<string, string>>;

describe('tenant A', () => {
  let api: ApiHarness;
  const logged: string[] = [];
  let [own, foreign]: [Ids, Ids] = [{}, {}];
  /** Principals of tenants A and B: a key, and the session of an owner. */
  let speakers: Record<'a' | 'b', readonly Speaker[]>;
  let secrets: string[] = [];
  let reads = 0;

  beforeAll(async () => {
    const logger = createLogger('debug', { write: (line: string) => void logged.push(line) });
    const between = (log: EventStore) =>
      Object.create(log, {
        read: {
          value: (...given: Parameters<EventStore['read']>) => {
            reads += 1;
            return log.read(...given);
          },
        },
      }) as EventStore;
    api = await ApiHarness.start({ logger, between, environment: { ...UNLIMITED } });
    const [ada, bob] = [
      await owner(api.tenantA, 'ada@example.com'),
      await owner(api.tenantB, canary('@example.com')),
    ];
    speakers = { a: [bearer(api.keyA), ada.speaks], b: [bearer(api.keyB), bob.speaks] };
    own = { ...(await plant('a', 'wombat', (kind) => `own-${kind}`)), user_id: ada.id };
    foreign = { ...(await plant('b', 'quokka wallaby', canary)), user_id: bob.id };
  });
  afterAll(() => api.stop());

  const bearer =
    (secret: string): Speaker =>
    () =>
      Promise.resolve({ authorization: `Bearer ${secret}` });

  async function owner(
    tenantId: string,
    address: string,
  ): Promise<{ readonly id: string; readonly speaks: Speaker }> {
    const userId = uuidv7();
    const seal = (field: string, text: string) =>
      api.app.get(PersonalText).seal({ tenantId, userId }, field, text);
    const fingerprints = [createHash('sha256').update(userId).digest('hex')];
    const sealed = {
      address: await seal('address', address),
      display_name: await seal('display_name', address),
    };
    const data = {
      user_id: userId,
      tenant_id: tenantId,
      fingerprints,
      ...sealed,
      password: null,
      role: 'owner',
    } as const;
    await api.append(tenantId, `user-${userId}`, { type: 'UserRegistered', data });
    await api.append(tenantId, `members-${tenantId}`, {
      type: 'MemberJoined',
      data: { user_id: userId, role: 'owner' },
    });
    const speaks: Speaker = async () => {
      const [tokens, sessionId] = [api.app.get(SessionTokens), uuidv7()];
      const epoch = api.app.get(KnownUsers).find(userId)?.epoch ?? 1;
      const token = await tokens.sign({
        sessionId,
        userId,
        tenantId,
        epoch,
        endsAt: Date.now() + 3_600_000,
      });
      return {
        cookie: `footnote_session=${token}`,
        'x-csrf-token': await tokens.csrfOf(sessionId),
      };
    };
    return { id: userId, speaks };
  }

  /** Gives a tenant one of everything. @returns the ids. */
  async function plant(of: 'a' | 'b', words: string, text: (kind: string) => string): Promise<Ids> {
    const tenant = of === 'a' ? api.tenantA : api.tenantB;
    const [byKey, byPerson] = speakers[of] as [Speaker, Speaker];
    const call = async <Body = Record<string, string>>(
      method: string,
      url: string,
      body?: unknown,
      by = byKey,
    ) => {
      const headers = {
        ...(await by(method)),
        'user-agent': text('agent'),
        'idempotency-key': text(method + url),
      };
      const answer = await api.call<Body>(method, url, body, { key: null, headers });
      if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
      return answer;
    };
    const document = {
      path: `${words.split(' ')[0]}.ts`,
      symbol: text('symbol'),
      defs: [text('symbol')],
    };
    const content = `export const ${text('content')} = '${words}';`;
    const source_id = await publish(
      api,
      [
        { ...document, content },
        { path: `${text('path')}.ts`, content },
      ],
      {
        tenant,
        name: text('published'),
      },
    );
    const { body: source } = await call('POST', '/sources', {
      name: text('name'),
      source_type: 'repo',
      url: `https://example.com/${text('url')}.git`,
      branch: text('branch'),
      include_patterns: [`${text('pattern')}/**`],
      credentials: { token: text('token') },
    });
    const { body: hook } = await call('POST', `/sources/${source['id']}/hooks`);
    const form = multipartBody([
      { name: 'name', value: text('upload') },
      {
        name: 'file',
        value: writePdf([linesAt(72, 100, [text('pdf')])]),
        fileName: `${text('file')}.pdf`,
      },
    ]);
    const headers = { ...(await byKey('POST')), 'content-type': form.contentType };
    const uploaded = await api.app.inject({
      method: 'POST',
      url: '/sources/upload',
      headers,
      payload: form.body,
    });
    const { id: pdf, job_id: failed } = JSON.parse(uploaded.payload) as {
      id: string;
      job_id: string;
    };
    const failure: DomainEvent = {
      type: 'JobFailed',
      data: {
        job_id: failed,
        source_id: pdf,
        error_message: text('error'),
        error_details: null,
      },
    };
    await api.append(tenant, `job-${failed}`, failure);
    const search = await call('POST', '/search', { query: `${words} ${text('query')}` });
    await call('POST', '/search/rmh', { query: `${words} ${text('query')}` });
    const { body: rover } = await call('POST', '/rover/jobs', { question: text('question') });
    // A finished job: its stream replays and closes.
    await call('DELETE', `/rover/jobs/${rover['id']}`);
    const { body: key } = await call('POST', '/keys', { name: text('key') });
    const { body: webhook } = await call('POST', '/webhooks', {
      name: text('webhook'),
      url: `https://example.com/${text('endpoint')}`,
    });
    if (of === 'b') await call('PUT', '/policy', { staleness_budget_seconds: NUMBER });
    const { body: invitation } = await call(
      'POST',
      '/invitations',
      { role: 'member', email: `${text('guest')}@example.com` },
      byPerson,
    );
    const { body: jobs } = await call<{ jobs: { id: string; source_id: string }[] }>(
      'GET',
      '/jobs',
    );
    const job_id = jobs.jobs.find((job) => job.source_id === source_id)?.id ?? '';
    if (of === 'b')
      secrets = [
        api.keyB,
        String(key['key']),
        String(hook['secret']),
        String(webhook['secret']),
        String(invitation['link'] ?? MARK),
      ];
    const receipt_id = String(search.headers['x-receipt-id']);
    const others = { failed, other_source: String(source['id']) };
    return {
      source_id,
      job_id,
      rover_job_id: String(rover['id']),
      receipt_id,
      key_id: String(key['id']),
      webhook_id: String(webhook['id']),
      invitation_id: String(invitation['id']),
      ...others,
    };
  }

  async function send(
    route: string,
    speaker: Speaker,
    ids: Ids,
    { query = '', body }: Input,
  ): Promise<ApiAnswer> {
    const [method = ''] = route.split(' ');
    const form = /upload/.test(route) ? { 'content-type': multipartBody([]).contentType } : {};
    const headers = { ...(await speaker(method)), ...form };
    return api.call(method, `${pathOf(route, ids, unknownId())}${query}`, body, {
      key: null,
      headers,
    });
  }

  it('gets no byte of tenant B by any route, whatever it sends', async () => {
    expect(routesOf(api.app)).toEqual(Object.keys(ROUTES).sort());
    const hidden = [MARK, String(NUMBER), api.tenantB, ...secrets];
    let scanned = 0;
    for (const [route, inputs] of Object.entries(ROUTES)) {
      const isEnd = route.startsWith('DELETE');
      for (const ids of route.includes(':') ? [...(isEnd ? [] : [own]), foreign, {}] : [own]) {
        for (const speaker of speakers.a) {
          for (const input of inputs) {
            const { text, headers } = await send(route, speaker, ids, input);
            const reported = `${text} ${JSON.stringify(headers)}`;
            // An id that A itself sent may be named in the answer.
            const sent = pathOf(route, ids, '');
            const unsent = Object.values(foreign).filter((id) => !sent.includes(id));
            expect([
              route,
              [...hidden, ...unsent].filter((each) => reported.includes(each)),
            ]).toEqual([route, []]);
            scanned += 1;
          }
        }
      }
    }
    expect(scanned).toBeGreaterThan(150);
  });

  it('would be seen to: tenant B gets its own by the same routes', async () => {
    const [key, person] = speakers.b as [Speaker, Speaker];
    for (const [route, speaker, input] of [
      ['GET /sources', key, NONE],
      ['GET /sources/:source_id', key, NONE],
      ['GET /sources/:source_id/content', key, { query: '?path=quokka.ts' }],
      ['POST /search', key, { body: { query: 'quokka wallaby' } }],
      ['GET /search', key, { query: '?query=quokka' }],
      ['GET /receipts/:receipt_id', key, NONE],
      ['GET /keys', key, NONE],
      ['GET /jobs', key, NONE],
      ['GET /rover/jobs', key, NONE],
      ['GET /rover/jobs/:rover_job_id', key, NONE],
      ['GET /members', person, NONE],
      ['GET /invitations', person, NONE],
    ] as const) {
      const { status, text } = await send(route, speaker, foreign, input);
      expect([route, status, text.includes(MARK)]).toEqual([route, 200, true]);
    }
    expect((await send('GET /policy', key, foreign, NONE)).text).toContain(String(NUMBER));
  });

  it('gets the same answer for an id of B as for an unknown id, after the same work', async () => {
    let queries = 0;
    const asked = ['ask'] as const;
    const kept = asked.map((name) => [name, api.readModel[name].bind(api.readModel)] as const);
    for (const [name, query] of kept) {
      const counted = (...given: unknown[]) => (
        (queries += 1),
        (query as (...all: unknown[]) => unknown)(...given)
      );
      Object.assign(api.readModel, { [name]: counted });
    }
    try {
      for (const route of WITH_ID) {
        const speaker = (
          /members|invitations/.test(route) ? speakers.a[1] : speakers.a[0]
        ) as Speaker;
        const seen = [];
        for (const ids of [
          foreign,
          Object.fromEntries(Object.keys(foreign).map((name) => [name, unknownId()])),
        ]) {
          [reads, queries] = [0, 0];
          const { status, text } = await send(route, speaker, ids, ROUTES[route]?.[0] ?? NONE);
          seen.push({ route, status, text: withoutIds(text), reads, queries });
        }
        expect(seen[0]).toEqual(seen[1]);
        expect([401, 404]).toContain(seen[0]?.status);
      }
    } finally {
      for (const [name, query] of kept) Object.assign(api.readModel, { [name]: query });
    }
  });

  it('and B leave no text of theirs in the log of the process, and no secret in the log of events', async () => {
    expect(logged.join('')).not.toContain(MARK);
    const events = JSON.stringify(await readLog(api.store), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(events).toContain(canary('name'));
    for (const secret of [...secrets.filter((each) => each !== MARK), api.keyB]) {
      expect(events).not.toContain(secret);
      expect(logged.join('')).not.toContain(secret);
    }
    for (const kind of ['query', 'question', 'content', 'token', 'pdf', 'guest', '@example.com']) {
      expect([kind, events.includes(canary(kind))]).toEqual([kind, false]);
    }
  });
});

function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}
