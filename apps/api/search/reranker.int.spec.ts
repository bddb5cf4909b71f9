import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { NoEvidence, SearchResponse } from '#contracts';
import type { ReceiptView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';
import { RerankEndpoint, type RerankFault } from '#test/support/rerank-endpoint';

const QUERY = 'how does the service stop overload of busy clients quickly';
const LATE = 'The reranker did not answer in time; the results are in the order without it';
const FAILED = 'The reranker gave no usable answer; the results are in the order without it';

/** Documents that match less and less of the query, and are more and more relevant. */
function documentsOf(tenant: string): readonly PublishedDocument[] {
  return [
    { path: 'src/a.ts', content: `service stop overload busy clients quickly ${tenant}` },
    { path: 'src/b.ts', content: `service stop overload busy ${tenant} relevant` },
    { path: 'src/c.ts', content: `service stop ${tenant} relevant relevant` },
    { path: 'src/d.ts', content: `service ${tenant} relevant relevant relevant` },
  ];
}

type Answer = SearchResponse & NoEvidence;

describe('search with a reranker', () => {
  let endpoint: RerankEndpoint;
  let api: ApiHarness;

  beforeAll(async () => {
    endpoint = await RerankEndpoint.start();
    api = await ApiHarness.start({
      environment: {
        RERANK_BASE_URL: endpoint.url,
        RERANK_MODEL: 'test-reranker',
        RERANK_API_KEY: 'sk-rerank',
        RERANK_TIMEOUT_SECONDS: '1',
      },
    });
    await publish(api, documentsOf('alpha'), { tenant: api.tenantA });
    await publish(api, documentsOf('beta'), { tenant: api.tenantB });
  });
  beforeEach(() => {
    endpoint.requests.length = 0;
  });
  afterEach(() => {
    endpoint.always = undefined;
  });
  afterAll(async () => {
    await api.stop();
    await endpoint.close();
  });

  const search = (fields: object = {}, key = api.keyA) =>
    api.call<Answer>('POST', '/search', { query: QUERY, ...fields }, { key });
  const paths = ({ results }: SearchResponse) => results.map(({ citation }) => citation.path);
  const scores = ({ results }: SearchResponse) => results.map(({ score }) => score);
  const receiptOf = ({ headers }: { readonly headers: Record<string, unknown> }) =>
    String(headers['x-receipt-id']);
  const without = async (): Promise<Answer> => {
    endpoint.next.push({ kind: 'status', status: 400 });
    const { body } = await search();
    endpoint.requests.length = 0;
    return body;
  };
  /** Replays an answer, and expects the same one without a request to the endpoint. */
  const expectReplay = async (answer: Awaited<ReturnType<typeof search>>) => {
    const asked = endpoint.requests.length;
    const url = `/receipts/${receiptOf(answer)}/replay`;
    const replay = await api.call<Answer>('POST', url);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect({ ...replay.body, search_time_ms: 0 }).toEqual({ ...answer.body, search_time_ms: 0 });
    expect(endpoint.requests).toHaveLength(asked);
  };

  it('orders the results, and leaves scores and evidence as they are', async () => {
    const before = await without();
    expect(paths(before)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']);
    const answer = await search();
    expect(answer.body.warnings).toEqual([]);
    expect(paths(answer.body)).toEqual(['src/d.ts', 'src/c.ts', 'src/b.ts', 'src/a.ts']);
    expect(scores(answer.body)).toEqual(scores(before));
    const { score, confidence } = before.evidence_quality;
    expect(answer.body.evidence_quality).toMatchObject({ score, confidence });
    expect(endpoint.requests).toHaveLength(1);
    await expectReplay(answer);
  });

  it('explains the order by a contribution', async () => {
    const { body } = await search({ explain: true });
    for (const { score, explanation } of body.results) {
      const { contributions = [] } = explanation ?? {};
      expect(contributions.at(-1)?.name).toBe('reranker');
      expect(contributions.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 6);
    }
  });

  it.each(['alpha', 'beta'])('sends only passages of the tenant: %s', async (tenant) => {
    const own = documentsOf(tenant).map(({ path, content }) => `${path}\n\n${content}`);
    const { body } = await search({}, tenant === 'alpha' ? api.keyA : api.keyB);
    expect(body.results).toHaveLength(4);
    const [request] = endpoint.requests;
    expect([...(request?.texts ?? [])].sort()).toEqual(own.sort());
    expect(request?.query).toBe(QUERY);
    expect(request?.authorization).toBe('Bearer sk-rerank');
  });

  it('sends nothing outside the filters of the request', async () => {
    await search({ path_patterns: ['src/{a,b}.ts'] });
    expect(endpoint.requests[0]?.texts).toHaveLength(2);
  });

  it.each<[string, RerankFault, string]>([
    ['fails', { kind: 'status', status: 400 }, FAILED],
    ['breaks the connection', { kind: 'reset' }, FAILED],
    ['writes no JSON', { kind: 'garbage' }, FAILED],
    ['leaves out a score', { kind: 'entries', of: (all) => all.slice(1) }, FAILED],
    [
      'repeats a passage',
      { kind: 'entries', of: (all) => all.map((entry) => ({ ...entry, index: 0 })) },
      FAILED,
    ],
    [
      'names a passage that was not sent',
      {
        kind: 'entries',
        of: (all) => all.map((entry) => ({ ...entry, index: Number(entry.index) + 1 })),
      },
      FAILED,
    ],
    [
      'gives a score that is no number',
      { kind: 'entries', of: (all) => all.map((entry) => ({ ...entry, score: null })) },
      FAILED,
    ],
    ['is late', { kind: 'hang' }, LATE],
  ])('marks the order without it if the reranker %s', async (_, fault, warning) => {
    const before = await without();
    endpoint.always = fault;
    const answer = await search();
    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toEqual([warning]);
    expect(paths(answer.body)).toEqual(paths(before));
    expect(scores(answer.body)).toEqual(scores(before));
    await expectReplay(answer);
  });

  it('shows model and outcome in the receipt', async () => {
    const shown = async (answer: Awaited<ReturnType<typeof search>>) => {
      const { body } = await api.call<ReceiptView>('GET', `/receipts/${receiptOf(answer)}`);
      return body.reranker;
    };
    expect(await shown(await search())).toEqual({ model: 'test-reranker', outcome: 'applied' });
    endpoint.next.push({ kind: 'status', status: 400 });
    expect(await shown(await search())).toEqual({ model: 'test-reranker', outcome: 'failed' });
    expect(await shown(await search({ query: 'overload' }))).toBeUndefined();
  });

  it.each(['overload', 'stopOverload', 'src/a.ts', 'stop busy clients'])(
    'sends nothing for a name or a few words: %s',
    async (query) => {
      await search({ query });
      expect(endpoint.requests).toEqual([]);
    },
  );

  it('sends nothing for a multi-hop search or a chat', async () => {
    await api.call('POST', '/search/rmh', { query: QUERY });
    await api.call('POST', '/chat', { query: QUERY });
    expect(endpoint.requests).toEqual([]);
  });

  it('sends nothing, and refuses as without it, if the evidence is too weak', async () => {
    const policy = { enforce_refusal: true, min_evidence_score: 0.99 };
    await api.call('PUT', '/policy', policy, { key: api.keyB });
    const { body } = await search({}, api.keyB);
    expect(body.results).toBeUndefined();
    expect(endpoint.requests).toEqual([]);
    await api.call('PUT', '/policy', { enforce_refusal: false }, { key: api.keyB });
  });

  it('repeats the order under another policy without the endpoint', async () => {
    await search();
    endpoint.requests.length = 0;
    const body = { policy: { min_evidence_score: 0.01 }, last: 1 };
    const { status } = await api.call('POST', '/policy/simulate', body);
    expect(status).toBe(200);
    expect(endpoint.requests).toEqual([]);
  });
});
