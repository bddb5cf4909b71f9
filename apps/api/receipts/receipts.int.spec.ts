import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  MultiHopResponse,
  NoEvidence,
  Receipt,
  RecordedEvent,
  SearchResponse,
} from '#contracts';
import type { ReceiptView } from '#contracts/http/index';
import { OutcomeUnknownError } from '#event-store';
import { revisionId } from '#platform';
import { type ApiAnswer, ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish, type PublishedDocument, uniqueWord } from '#test/support/api/publish';
import { proposed } from '#test/support/sample-events';

const DAY_MS = 86_400_000;
const LOOP =
  'def drain_queue(queue):\n    """Empties the queue of the worker loop."""\n    return queue.pop()';

const documents: readonly PublishedDocument[] = [
  {
    path: 'src/loop.py',
    content: LOOP,
    symbol: 'drain_queue',
    defs: ['drain_queue'],
    startLine: 10,
  },
  {
    path: 'src/loop.py',
    content: 'def worker_loop():\n    drain_queue(q)',
    ordinal: 1,
    startLine: 14,
  },
  { path: 'src/loop.py', content: 'ZYGOTE = 42', ordinal: 2, startLine: 13 },
  {
    path: 'src/queue.py',
    content: 'class WorkQueue:\n    """A queue of work."""',
    symbol: 'WorkQueue',
  },
];

/** All but the time it took. */
function timeless(body: object): unknown {
  return { ...body, search_time_ms: 0 };
}

describe('receipts', () => {
  let api: ApiHarness;
  let source: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const syncedAt = new Date(Date.now() - 3 * DAY_MS);
    source = await publish(api, documents, { tenant: api.tenantA, name: 'Worker', syncedAt });
  });
  afterAll(() => api.stop());

  const search = (body: object, key = api.keyA) =>
    api.call<SearchResponse & NoEvidence>('POST', '/search', body, { key });
  const receiptOf = (answer: ApiAnswer<unknown>) => String(answer.headers['x-receipt-id']);
  const receipt = async (id: string, key = api.keyA) =>
    api.call<ReceiptView>('GET', `/receipts/${id}`, undefined, { key });
  const replay = (id: string, key = api.keyA) =>
    api.call<SearchResponse & NoEvidence>('POST', `/receipts/${id}/replay`, undefined, { key });

  async function charges(tenant = api.tenantA): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of api.store.read(`quota-${tenant}-search`)) events.push(event);
    return events;
  }

  async function consumed(): Promise<number> {
    return (await charges()).filter(({ type }) => type === 'QuotaConsumed').length;
  }

  it('show query, parameters, policy, generations and the scores of each result', async () => {
    const answer = await search({
      query: 'how is the worker queue drained',
      top_k: 2,
      languages: ['python'],
    });
    const { status, body } = await receipt(receiptOf(answer));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: receiptOf(answer),
      kind: 'search',
      query: 'how is the worker queue drained',
      query_erased: false,
      parameters: { top_k: 2, max_tokens: 4000, include_stale: true, languages: ['python'] },
      policy_revision: null,
      policy: {
        min_evidence_score: 0.3,
        source_priorities: { repo: 1, docs_html: 0.8, docs_openapi: 1.2 },
      },
      live_generations: [{ source_id: source, source_name: 'Worker', generation: 1, kept: true }],
      models: ['hash-ngram-v1'],
      outcome: 'results',
    });
    expect(body.results).toHaveLength(answer.body.results.length);
    for (const [at, result] of answer.body.results.entries()) {
      const reported = body.results[at];
      expect(reported).toMatchObject({
        chunk_id: result.citation.chunk_id,
        source_id: source,
        generation: 1,
        priority: 1,
      });
      expect(reported?.score).toBeCloseTo(result.score, 6);
      expect(reported?.keyword_score).toBeGreaterThan(0);
      expect(reported?.combined_score).toBeGreaterThanOrEqual(result.score - 1e-6);
    }
    expect(Date.parse(body.created_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are there when the answer is, from each kind of search', async () => {
    const before = await consumed();
    const answers = [
      await api.call('GET', '/search?query=drain_queue'),
      await search({ query: 'drain_queue' }),
      await api.call('POST', '/search/rmh', { query: 'drain_queue' }),
      await search({ query: uniqueWord() }),
    ];
    const ids = answers.map(receiptOf);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await charges()).slice(-4).map(({ id }) => id)).toEqual(ids);
    expect(await consumed()).toBe(before + 4);
    const kinds = await Promise.all(ids.map(async (id) => (await receipt(id)).body));
    expect(kinds.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['search', 'results'],
      ['search', 'results'],
      ['rmh', 'results'],
      ['search', 'no_evidence'],
    ]);
  });

  it('count every answer of many clients at once, a place each, and nothing that was refused', async () => {
    const before = await consumed();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => search({ query: `worker queue ${at}` })),
    );
    const refused = [
      await search({ query: '' }),
      await search({ query: 'x', top_k: 51 }),
      await search({ query: 'x', path_patterns: ['[a'] }),
      await search({ query: 'x' }, 'fnt_wrong'),
    ];
    for (const { status, headers } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers).not.toHaveProperty('x-receipt-id');
    }
    expect(await consumed()).toBe(before + 40);
    const ids = new Set(answers.map(receiptOf));
    expect(ids.size).toBe(40);
    for (const [at, answer] of answers.entries()) {
      expect((await receipt(receiptOf(answer))).body.query).toBe(`worker queue ${at}`);
    }
  });

  it('hold no typed text in the clear, however long it is', async () => {
    const word = uniqueWord();
    const pattern = `src/${uniqueWord()}/**`;
    const ids = Array.from({ length: 900 }, unknownId);
    const query = `${word} ${'検索'.repeat(900)}`;
    const answer = await search({
      query,
      path_patterns: [pattern, '**'],
      source_ids: [source, ...ids],
    });
    expect(answer.status).toBe(200);
    const events = await charges();
    const log = JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
    for (const text of [word, pattern, '検索', ids[0], 'drain_queue', LOOP])
      expect(log).not.toContain(text);
    for (const { data } of events)
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(8_192);
    expect(events.some(({ type }) => type === 'ReceiptContinued')).toBe(true);
    const { body } = await receipt(receiptOf(answer));
    expect(body.query).toBe(query);
    expect(body.parameters).toMatchObject({
      path_patterns: [pattern, '**'],
      source_ids: [source, ...ids],
    });
    expect((await replay(receiptOf(answer))).headers['x-replay-matches']).toBe('true');
  });

  it("are unknown to another tenant, as are an event's id that is no receipt and malformed ids", async () => {
    const answer = await search({ query: 'drain_queue' });
    const id = receiptOf(answer);
    const continued = (await charges()).find(({ type }) => type === 'ReceiptContinued');
    const foreign = [await receipt(id, api.keyB), await replay(id, api.keyB)];
    const unknown = [
      await receipt(unknownId()),
      await replay(unknownId()),
      await receipt('nonsense'),
    ];
    for (const { status, body } of [...foreign, ...unknown, await receipt(continued?.id ?? '')]) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'receipt_not_found' });
    }
  });

  it('are not issued, and no answer is given, while the log is away', async () => {
    const before = await consumed();
    const append = api.store.append.bind(api.store);
    api.store.append = (stream) => Promise.reject(new OutcomeUnknownError(stream, 'away'));
    const answer = await search({ query: 'drain_queue' }).finally(
      () => (api.store.append = append),
    );
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'engine_unavailable' });
    expect(answer.headers).toMatchObject({ 'retry-after': '1' });
    expect(answer.headers).not.toHaveProperty('x-receipt-id');
    expect(await consumed()).toBe(before);
  }, 20_000);

  describe('replayed', () => {
    const asked = [
      ['POST', '/search', { query: 'how is the worker queue drained' }],
      ['POST', '/search', { query: 'queue', top_k: 1, max_tokens: 8, path_patterns: ['src/**'] }],
      ['POST', '/search/rmh', { query: 'drain the queue of the worker', max_rounds: 3, top_k: 2 }],
      ['POST', '/search', { query: `${uniqueWord()}` }],
    ] as const;
    let answers: ApiAnswer<SearchResponse & NoEvidence & MultiHopResponse>[];

    beforeAll(async () => {
      answers = [];
      for (const [method, path, body] of asked) answers.push(await api.call(method, path, body));
      expect(answers[0]?.body.results.length).toBeGreaterThan(1);
      expect(answers[2]?.body.rmh.neighbors_added).toBeGreaterThan(0);
    });

    const expectEqualReplays = async () => {
      for (const answer of answers) {
        const again = await replay(receiptOf(answer));
        expect(again.status).toBe(200);
        expect(timeless(again.body)).toEqual(timeless(answer.body));
        expect(again.headers['x-replay-matches']).toBe('true');
      }
    };

    it('give the same answer, and charge nothing', async () => {
      const before = await consumed();
      await expectEqualReplays();
      expect(await consumed()).toBe(before);
    });

    it('give the same answer after policy, name and content changed, and others came', async () => {
      const changes = {
        staleness_budget_seconds: 60,
        source_priorities: { repo: 0.5 },
        enforce_refusal: true,
      };
      expect((await api.call('PUT', '/policy', changes)).status).toBe(200);
      expect((await api.call('PATCH', `/sources/${source}`, { name: 'Renamed' })).status).toBe(200);
      await publish(api, [{ path: 'src/loop.py', content: 'def worker_loop(): pass' }], {
        tenant: api.tenantA,
        sourceId: source,
        generation: 2,
      });
      await publish(api, [{ path: 'other.py', content: LOOP }], {
        tenant: api.tenantA,
        name: 'Other',
      });
      const now = await search({ query: 'how is the worker queue drained' });
      expect(timeless(now.body)).not.toEqual(timeless(answers[0]?.body ?? {}));
      await expectEqualReplays();
      const { body } = await receipt(receiptOf(now));
      expect(body).toMatchObject({
        policy_revision: 0,
        policy: { source_priorities: { repo: 0.5 } },
      });
      expect(
        body.live_generations
          .map(({ source_name, generation }) => [source_name, generation])
          .sort(),
      ).toEqual([
        ['Other', 1],
        ['Renamed', 2],
      ]);
    });

    it('give a refusal again after the policy allows what it refused', async () => {
      const changes = { enforce_refusal: true, min_evidence_score: 1, min_evidence_count: 50 };
      await api.call('PUT', '/policy', changes);
      const refused = await search({ query: 'worker queue' });
      expect(refused.body).not.toHaveProperty('results');
      await api.call('POST', '/policy/reset');
      const again = await replay(receiptOf(refused));
      expect(again.body).toEqual(refused.body);
      expect(again.headers['x-replay-matches']).toBe('true');
    });

    it('are refused with model_changed where the query was embedded with a model that is not in use', async () => {
      const events = await charges();
      const [first] = events;
      const id = revisionId(Date.now(), BigInt(events.length));
      const stream = `quota-${api.tenantA}-search` as const;
      const request = await api.keyRing.seal(
        api.tenantA,
        `${stream}/${id}/request/0`,
        '{"query":"queue"}',
      );
      const stored = first?.data['receipt'] as Receipt;
      const receipt: Receipt = { ...stored, request, request_parts: 0, models: ['retired-model'] };
      const event = proposed({
        type: 'QuotaConsumed',
        data: { metric: 'search', amount: 1, receipt },
      });
      const metadata = { ...event.metadata, tenant_id: api.tenantA };
      await api.store.append(stream, [{ ...event, id, metadata }], BigInt(events.length - 1));
      expect(await replay(id)).toMatchObject({ status: 409, body: { code: 'model_changed' } });
    });

    it('are refused with generation_dropped once content is not kept, and the receipt says so', async () => {
      const generation = { source_id: source, generation: 1, reason: 'superseded' as const };
      await api.append(api.tenantA, `generation-${source}`, {
        type: 'GenerationDropped',
        data: generation,
      });
      const id = receiptOf(answers[0] as ApiAnswer<unknown>);
      expect(await replay(id)).toMatchObject({ status: 409, body: { code: 'generation_dropped' } });
      const { status, body } = await receipt(id);
      expect(status).toBe(200);
      expect(body.live_generations).toMatchObject([
        { source_id: source, generation: 1, kept: false },
      ]);
      expect(body.results.length).toBe(answers[0]?.body.results.length);
    });

    it('are refused after the source was removed', async () => {
      const removed = await publish(api, documents, { tenant: api.tenantB });
      const answer = await search({ query: 'drain_queue' }, api.keyB);
      expect((await replay(receiptOf(answer), api.keyB)).status).toBe(200);
      await api.call('DELETE', `/sources/${removed}`, undefined, { key: api.keyB });
      const again = await replay(receiptOf(answer), api.keyB);
      expect(again).toMatchObject({ status: 409, body: { code: 'generation_dropped' } });
    });

    it("lose query and filters with the tenant's key, and keep the rest", async () => {
      const before = await search({ query: 'queue', languages: ['python'] }, api.keyB);
      await api.keyRing.destroy(api.tenantB);
      const after = await search({ query: 'queue' }, api.keyB);
      expect([before.status, after.status]).toEqual([200, 200]);
      for (const answer of [before, after]) {
        const { status, body } = await receipt(receiptOf(answer), api.keyB);
        expect(status).toBe(200);
        expect(body).toMatchObject({ query: null, query_erased: true, parameters: { top_k: 10 } });
        expect(body.parameters).not.toHaveProperty('languages');
        const again = await replay(receiptOf(answer), api.keyB);
        expect(again).toMatchObject({ status: 409, body: { code: 'receipt_erased' } });
      }
    });
  });
});
