import { createHash, randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { EventStore } from '#event-store';
import { createLogger, uuidv7 } from '#platform';
import { type ApiAnswer, ApiHarness, unknownId } from '#test/support/api/api-harness';
import { contentTypeOf } from '#test/support/api/content-type';
import { multipartBody } from '#test/support/api/multipart';
import { publish } from '#test/support/api/publish';
import { NO_INPUT, ROUTE_INPUTS, type RouteInput } from '#test/support/api/route-inputs';
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

const WITH_ID = Object.keys(ROUTE_INPUTS).filter((route) => route.includes(':'));

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
    { query = '', body }: RouteInput,
  ): Promise<ApiAnswer> {
    const [method = ''] = route.split(' ');
    const form = contentTypeOf(route);
    const headers = { ...(await speaker(method)), ...form };
    return api.call(method, `${pathOf(route, ids, unknownId())}${query}`, body, {
      key: null,
      headers,
    });
  }

  it('gets no byte of tenant B by any route, whatever it sends', async () => {
    expect(routesOf(api.app)).toEqual(Object.keys(ROUTE_INPUTS).sort());
    const hidden = [MARK, String(NUMBER), api.tenantB, ...secrets];
    let scanned = 0;
    for (const [route, inputs] of Object.entries(ROUTE_INPUTS)) {
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
      ['GET /sources', key, NO_INPUT],
      ['GET /sources/:source_id', key, NO_INPUT],
      ['GET /sources/:source_id/content', key, { query: '?path=quokka.ts' }],
      ['POST /search', key, { body: { query: 'quokka wallaby' } }],
      ['GET /search', key, { query: '?query=quokka' }],
      ['GET /receipts/:receipt_id', key, NO_INPUT],
      ['GET /keys', key, NO_INPUT],
      ['GET /jobs', key, NO_INPUT],
      ['GET /rover/jobs', key, NO_INPUT],
      ['GET /rover/jobs/:rover_job_id', key, NO_INPUT],
      ['GET /members', person, NO_INPUT],
      ['GET /invitations', person, NO_INPUT],
    ] as const) {
      const { status, text } = await send(route, speaker, foreign, input);
      expect([route, status, text.includes(MARK)]).toEqual([route, 200, true]);
    }
    expect((await send('GET /policy', key, foreign, NO_INPUT)).text).toContain(String(NUMBER));
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
          const { status, text } = await send(
            route,
            speaker,
            ids,
            ROUTE_INPUTS[route]?.[0] ?? NO_INPUT,
          );
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
