import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Audience, PUBLIC_TENANT, type SearchResponse, SYSTEM_TENANT } from '#contracts';
import type { JobList, ReceiptView, SourceList, SourceView } from '#contracts/http/index';
import { MultiHopSearchBody, SearchBody } from '#contracts/http/index';
import {
  type AudiencesAsked,
  HybridSearch,
  SERVICE_DOCS,
  visibleSource,
  visibleSources,
} from '#search';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, uniqueWord } from '#test/support/api/publish';

import type { Caller } from '../auth/caller.js';
import { LiveSources } from '../sources/live-sources.js';
import { PresentMoment } from './present-moment.js';
import { openReceipt } from './receipt/receipt-event.js';
import { Receipts } from './receipt/receipts.js';

const CONVERSATION: Audience = { kind: 'conversation', conversation_id: 'c1' };
const RESEARCH: Audience = { kind: 'research', repository: 'team/app', commit: 'c0ffee' };

describe('a source for another audience than its tenant', () => {
  let api: ApiHarness;
  let own: string;
  const word = uniqueWord();
  const document = { path: 'src/loop.py', content: `def drain_queue():\n    return "${word}"` };

  beforeAll(async () => {
    api = await ApiHarness.start();
    own = await publish(api, [{ path: 'src/own.py', content: `${word} = 1` }], {
      tenant: api.tenantA,
      name: 'Own',
    });
  });
  afterAll(() => api.stop());

  const search = (body: object, route = '/search') => api.call<SearchResponse>('POST', route, body);
  const foundBy = async (body: object, route?: string) => {
    const { status, body: answer } = await search(body, route);
    expect(status).toBe(200);
    return [...new Set((answer.results ?? []).map(({ citation }) => citation.source_id))];
  };
  const jobOf = async (source: string): Promise<string> => {
    for await (const { type, data } of api.store.read(`source-${source}`)) {
      if (type === 'SourceSyncRequested') return String(data['job_id']);
    }
    throw new Error('never synced');
  };
  /** Everything a tenant can ask about a source and its job. */
  const requests = (
    source: string,
    job: string,
  ): readonly (readonly [string, string, object?])[] => [
    ['GET', `/sources/${source}`],
    ['GET', `/sources/${source}/content?path=src/loop.py`],
    ['PATCH', `/sources/${source}`, { name: 'Mine' }],
    ['POST', `/sources/${source}/sync`],
    ['DELETE', `/sources/${source}`],
    ['GET', `/jobs/${job}`],
    ['GET', `/jobs/${job}/stream`],
    ['POST', `/jobs/${job}/cancel`],
  ];

  const cases: readonly [string, Audience, (api: ApiHarness) => string][] = [
    ['linked, of the public tenant', { kind: 'linked' }, () => PUBLIC_TENANT],
    ['system, of the system tenant', { kind: 'system' }, () => SYSTEM_TENANT],
    ['linked, of the tenant itself', { kind: 'linked' }, ({ tenantA }) => tenantA],
    ['system, of the tenant itself', { kind: 'system' }, ({ tenantA }) => tenantA],
    ['a conversation', CONVERSATION, ({ tenantA }) => tenantA],
    ['a research job', RESEARCH, ({ tenantA }) => tenantA],
  ];

  it.each(cases)(
    'is found by no search of a tenant and counts in no statistics: %s',
    async (_, audience, tenantOf) => {
      const query = { query: word, top_k: 50 };
      const scoresOf = async () => (await search(query)).body.results.map(({ score }) => score);
      const before = await scoresOf();
      const source = await publish(api, [document], { tenant: tenantOf(api), audience });
      expect(await foundBy(query)).toEqual([own]);
      expect(await scoresOf()).toEqual(before);
      expect(await foundBy(query, '/search/rmh')).toEqual([own]);
      expect(await foundBy({ ...query, source_ids: [source] })).toEqual([]);
      expect(await foundBy({ ...query, source_ids: [source] }, '/search/rmh')).toEqual([]);
    },
  );

  it.each(cases)(
    'answers every request of a tenant like an unknown one: %s',
    async (_, audience, tenantOf) => {
      const source = await publish(api, [document], { tenant: tenantOf(api), audience });
      const job = await jobOf(source);
      const events = await api.eventCount();
      for (const [method, url, body] of requests(source, job)) {
        const { status, body: answer } = await api.call(method, url, body);
        expect([method, url, status, answer['code']]).toEqual([
          ...[method, url, 404],
          url.startsWith('/jobs') ? 'job_not_found' : 'source_not_found',
        ]);
      }
      expect(await api.eventCount()).toBe(events);
      const { body: sources } = await api.call<SourceList>('GET', '/sources?limit=100');
      expect([sources.total, sources.sources.map(({ id }) => id)]).toEqual([1, [own]]);
      const { body: jobs } = await api.call<JobList>('GET', '/jobs?limit=100');
      expect(jobs.jobs.map(({ source_id }) => source_id)).toEqual([own]);
      expect((await api.call<JobList>('GET', `/jobs?source_id=${source}`)).body.total).toBe(0);
    },
  );

  it('is in no receipt of a tenant and no replay of one', async () => {
    for (const [, audience, tenantOf] of cases)
      await publish(api, [document], { tenant: tenantOf(api), audience });
    const answer = await search({ query: word, top_k: 50 });
    const id = String(answer.headers['x-receipt-id']);
    const { body: receipt } = await api.call<ReceiptView>('GET', `/receipts/${id}`);
    expect(receipt.live_generations.map(({ source_id }) => source_id)).toEqual([own]);
    const replayed = await api.call<SearchResponse>('POST', `/receipts/${id}/replay`);
    expect(replayed.headers['x-replay-matches']).toBe('true');
    expect(replayed.body.results).toEqual(answer.body.results);
  });

  it('is registered by no request', async () => {
    const body = {
      name: 'Mine',
      source_type: 'repo',
      url: 'https://example.com/x.git',
      audience: { kind: 'system' },
    };
    expect((await api.call<SourceView>('POST', '/sources', body)).status).toBe(400);
    for (const field of ['audience', 'audiences']) {
      expect((await search({ query: word, [field]: [{ kind: 'system' }] })).status).toBe(400);
      expect(
        (await search({ query: word, [field]: [{ kind: 'system' }] }, '/search/rmh')).status,
      ).toBe(400);
    }
  });
});

describe('the audiences that a use case speaks as', () => {
  let api: ApiHarness;
  const ids = new Map<string, string>();
  const word = uniqueWord();
  const content = `The word is ${word}`;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const put = async (name: string, tenant: string, audience: Audience) =>
      ids.set(
        name,
        await publish(api, [{ path: `${name}.md`, content: `${name}. ${content}` }], {
          tenant,
          audience,
        }),
      );
    await put('own', api.tenantA, { kind: 'tenant' });
    await put('theirs', api.tenantB, { kind: 'tenant' });
    await put('service', SYSTEM_TENANT, { kind: 'system' });
    await put('package', PUBLIC_TENANT, { kind: 'linked' });
    await put('pretender', api.tenantA, { kind: 'system' });
    await put('upload', api.tenantA, CONVERSATION);
    await put('other upload', api.tenantA, { kind: 'conversation', conversation_id: 'c2' });
    await put('upload of b', api.tenantB, CONVERSATION);
    await put('notes', api.tenantA, RESEARCH);
  });
  afterAll(() => api.stop());

  const seen = (audiences?: AudiencesAsked, tenantId = api.tenantA) => {
    const { sources } = visibleSources(api.app.get(LiveSources), { tenantId }, audiences);
    return [...ids]
      .flatMap(([name, id]) => (sources.some(({ sourceId }) => sourceId === id) ? [name] : []))
      .sort();
  };

  it.each<[string, AudiencesAsked | undefined, string[]]>([
    ['none named', undefined, ['own']],
    ['no audience', [], []],
    ['the system', SERVICE_DOCS, ['service']],
    ['linked packages, of which there are none', [{ kind: 'linked' }], []],
    ['a conversation', [CONVERSATION], ['upload']],
    ['a conversation of the tenant', [{ kind: 'tenant' }, CONVERSATION], ['own', 'upload']],
    ['a research job', [RESEARCH], ['notes']],
    ['the id of one as the other', [{ kind: 'research', repository: 'c1', commit: 'c1' }], []],
    [
      'a repository at another commit',
      [{ kind: 'research', repository: 'team/app', commit: 'beef' }],
      [],
    ],
  ])('decide what is seen: %s', (_, audiences, expected) => {
    expect(seen(audiences)).toEqual(expected);
    for (const [name, id] of ids) {
      const one = visibleSource(api.app.get(LiveSources), { tenantId: api.tenantA }, id, audiences);
      expect(one?.sourceId).toBe(expected.includes(name) ? id : undefined);
    }
  });

  it('never show one tenant what is of another', () => {
    expect(seen([{ kind: 'tenant' }, CONVERSATION, RESEARCH], api.tenantB)).toEqual([
      'theirs',
      'upload of b',
    ]);
  });

  it('let a search of the service find its own documents and nothing of a tenant', async () => {
    const request = Object.assign(new MultiHopSearchBody(), { query: word, top_k: 50 });
    const moment = api.app.get(PresentMoment).of(api.tenantA, SERVICE_DOCS);
    const { answer } = await api.app.get(HybridSearch).run(request, () => moment);
    expect('results' in answer && answer.results.map(({ citation }) => citation.path)).toEqual([
      'service.md',
    ]);
    const { body } = await api.call<SearchResponse>('POST', '/search', { query: word });
    expect(body.results.map(({ citation }) => citation.source_id)).toEqual([ids.get('own')]);
  });

  it('are recorded in a receipt, which shows and replays what those audiences saw', async () => {
    const moment = api.app
      .get(PresentMoment)
      .of(api.tenantA, [{ kind: 'tenant' }, ...SERVICE_DOCS]);
    expect(moment.sources.map(({ sourceId }) => sourceId)).toEqual([
      ids.get('own'),
      ids.get('service'),
    ]);
    const request = Object.assign(new SearchBody(), { query: word });
    const outcome = await api.app.get(HybridSearch).run(request, () => moment);
    expect(openReceipt(outcome)).toMatchObject({
      audiences: [{ kind: 'tenant' }, { kind: 'system' }],
      live_at: moment.liveAt,
    });
    const { receiptId } = await api.app
      .get(Receipts)
      .metered(callerOf(api.tenantA), () => Promise.resolve(outcome));
    const { body } = await api.call<ReceiptView>('GET', `/receipts/${receiptId}`);
    expect(body.live_generations.map(({ source_id }) => source_id)).toEqual([
      ids.get('own'),
      ids.get('service'),
    ]);
    await publish(api, [{ path: 'later.md', content }], {
      tenant: SYSTEM_TENANT,
      audience: { kind: 'system' },
    });
    const replayed = await api.call<SearchResponse>('POST', `/receipts/${receiptId}/replay`);
    expect(replayed.headers['x-replay-matches']).toBe('true');
    expect('results' in outcome.answer && replayed.body.results).toEqual(
      'results' in outcome.answer && outcome.answer.results,
    );
    expect(replayed.body.results.map(({ citation }) => citation.source_id).sort()).toEqual(
      [ids.get('own'), ids.get('service')].sort(),
    );
  });
});

/** A use case that speaks for a tenant. */
function callerOf(tenantId: string): Caller {
  return {
    tenantId,
    actor: { type: 'system', id: 'test' },
    scopes: ['read'],
    expiresAt: null,
    requestId: 'request-1',
    http: { request_id: 'request-1', method: 'POST', path: '/search' },
    route: 'POST /search',
    pathParameters: {},
    idempotencyKey: undefined,
  };
}
