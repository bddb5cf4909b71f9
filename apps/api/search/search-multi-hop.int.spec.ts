import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MultiHopResponse, NoEvidence, SearchResponse } from '#contracts';
import { localModel } from '#models';
import { MEANING_ID } from '#retrieval';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';

const DAY_MS = 86_400_000;

/** A file in four chunks: two that touch, one after a blank line, one far below. */
const FILE = [
  'class TokenBucket:',
  '    """Limits requests."""',
  '    def refill_bucket(self): return LeakyClock().tick()',
  '    capacity = 10',
  '',
  'def drain(): pass',
  ...Array.from({ length: 200 }, (_, at) => `# filler ${at}`),
  'def far_below(): pass',
];

function lines(from: number, to: number): string {
  return FILE.slice(from - 1, to).join('\n');
}

const LIMITER: PublishedDocument[] = [
  {
    path: 'src/limit.py',
    ordinal: 0,
    startLine: 1,
    content: lines(1, 2),
    symbol: 'TokenBucket',
    defs: ['TokenBucket'],
  },
  {
    path: 'src/limit.py',
    ordinal: 1,
    startLine: 3,
    content: lines(3, 4),
    symbol: 'TokenBucket.refill_bucket',
    defs: ['refill_bucket'],
  },
  {
    path: 'src/limit.py',
    ordinal: 2,
    startLine: 6,
    content: lines(6, 6),
    symbol: 'drain',
    defs: ['drain'],
  },
  {
    path: 'src/limit.py',
    ordinal: 3,
    startLine: 207,
    content: lines(207, 207),
    defs: ['far_below'],
  },
];

/** Found only by a word of the limiter's chunk, and from there the next. */
const CHAIN: PublishedDocument[] = [
  {
    path: 'src/time.py',
    content: 'class LeakyClock:\n    tick = QuartzOscillator',
    defs: ['LeakyClock'],
  },
  {
    path: 'src/crystal.py',
    content: 'class QuartzOscillator: hertz = 32768',
    defs: ['QuartzOscillator'],
  },
];

describe('multi-hop search', () => {
  let api: ApiHarness;
  let source: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    source = await publish(api, [...LIMITER, ...CHAIN], { tenant: api.tenantA });
    const theirs = [
      { path: 'src/limit.py', startLine: 5, content: 'their_canary = refill_bucket' },
      { path: 'src/theirs.py', content: 'class LeakyClock: their_canary = QuartzOscillator' },
    ];
    await publish(api, theirs, { tenant: api.tenantB, name: 'Theirs' });
  });
  afterAll(() => api.stop());

  type Answer = MultiHopResponse & NoEvidence;
  const rmh = async (fields: object, key?: string): Promise<Answer> => {
    const { status, body, text } = await api.call<Answer>(
      'POST',
      '/search/rmh',
      { query: 'refill_bucket', ...fields },
      key === undefined ? {} : { key },
    );
    if (status !== 200) throw new Error(text);
    return body;
  };
  const pathsOf = ({ results }: SearchResponse) => results.map(({ citation }) => citation.path);
  const alone = { expand_neighbors: false, secondary_search: false };

  it('is the search itself when neither neighbors nor hops are asked for', async () => {
    const plain = await api.call<SearchResponse>('POST', '/search', { query: 'refill_bucket' });
    const { rmh: summary, ...answer } = await rmh(alone);
    const timeless = { search_time_ms: 0, results: [], evidence_quality: 0 };
    expect({ ...answer, ...timeless }).toEqual({ ...plain.body, ...timeless });
    const bare = ({ content, score, citation }: SearchResponse['results'][number]) => ({
      content,
      score,
      citation,
    });
    expect(answer.results.map(bare)).toEqual(plain.body.results.map(bare));
    expect(summary).toEqual({
      rounds_executed: 1,
      seed_result_count: plain.body.total_results,
      neighbors_added: 0,
      secondary_search_ran: false,
      merged_chunk_count: 0,
    });
  });

  it('joins what touches a hit, byte for byte, and adds what stands near', async () => {
    const answer = await rmh({ secondary_search: false, top_k: 3, neighbor_line_radius: 80 });
    const [best] = answer.results;
    expect(best).toMatchObject({
      content: lines(1, 4),
      citation: {
        start_line: 1,
        end_line: 4,
        symbol: 'TokenBucket.refill_bucket',
        source_id: source,
      },
    });
    expect(best?.score).toBe((await rmh(alone)).results[0]?.score);
    for (const { content, citation } of answer.results.filter(
      ({ citation: { path } }) => path === 'src/limit.py',
    )) {
      expect(content).toBe(lines(citation.start_line ?? 0, citation.end_line ?? 0));
    }
    expect(JSON.stringify(answer.results)).toContain('def drain');
    expect(JSON.stringify(answer.results)).not.toContain('far_below');
    expect(answer.rmh.merged_chunk_count).toBe(2);
    const ids = new Set(answer.results.map(({ citation }) => citation.chunk_id));
    expect(ids.size).toBe(answer.results.length);
  });

  it('takes neighbors from within the radius alone', async () => {
    const only = { secondary_search: false, top_k: 1 };
    const none = await rmh({ ...only, neighbor_line_radius: 0 });
    expect(none.results.map(({ content }) => content)).toEqual([lines(3, 4)]);
    expect(none.rmh).toMatchObject({ neighbors_added: 0, merged_chunk_count: 0 });
    const one = await rmh({ ...only, neighbor_line_radius: 1 });
    expect(one.results.map(({ content }) => content)).toEqual([lines(1, 4)]);
    expect(one.rmh).toMatchObject({
      seed_result_count: 1,
      neighbors_added: 1,
      merged_chunk_count: 2,
    });
    const far = await rmh({
      query: 'refill_bucket',
      secondary_search: false,
      top_k: 50,
      neighbor_line_radius: 500,
    });
    expect(JSON.stringify(far.results)).toContain('far_below');
  });

  it('follows the names of the best hit, a round further each time', async () => {
    const rounds = async (max_rounds: number) => rmh({ max_rounds, expand_neighbors: false });
    const [one, two, three] = [await rounds(1), await rounds(2), await rounds(3)];
    expect(pathsOf(one)).not.toContain('src/time.py');
    expect(one.rmh).toMatchObject({ rounds_executed: 1, secondary_search_ran: false });
    expect(pathsOf(two)).toContain('src/time.py');
    expect(two.rmh).toMatchObject({ rounds_executed: 2, secondary_search_ran: true });
    expect(three.rmh.rounds_executed).toBe(3);
    expect(pathsOf(three)).toContain('src/crystal.py');
    expect(two.results[0]).toMatchObject({ score: one.results[0]?.score, content: lines(3, 4) });
    const scores = three.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('ends early when a round adds nothing', async () => {
    const { rmh: summary } = await rmh({
      query: 'LeakyClock QuartzOscillator hertz',
      max_rounds: 3,
      top_k: 1,
    });
    expect(summary.rounds_executed).toBeLessThan(3);
  });

  it('shows neighbors in addition to top_k hits, which it never takes the place of', async () => {
    const query = 'refill_bucket LeakyClock QuartzOscillator';
    const fields = { query, top_k: 3, secondary_search: false, neighbor_line_radius: 500 };
    const hits = await rmh({ ...fields, expand_neighbors: false });
    expect(hits.results).toHaveLength(3);
    const all = await rmh(fields);
    const chunks = all.results.map(({ citation }) => citation.chunk_id);
    expect(chunks).toEqual(
      expect.arrayContaining(hits.results.map(({ citation }) => citation.chunk_id)),
    );
    expect(JSON.stringify(all.results)).toContain('def drain');
    expect(JSON.stringify(all.results)).toContain('far_below');
    expect(all.evidence_quality.evidence_count).toBe(3);
    expect(all.evidence_quality.score).toBe(hits.evidence_quality.score);
    const max_tokens = hits.total_tokens;
    const contents = (answer: SearchResponse) => answer.results.map(({ content }) => content);
    expect(contents(await rmh({ ...fields, max_tokens }))).toEqual(contents(hits));
  });

  it('keeps to the token budget, and to top_k hits', async () => {
    for (const [top_k, max_tokens] of [
      [2, 4_000],
      [10, 40],
      [10, 8],
    ] as const) {
      const { results, total_tokens, rmh: summary } = await rmh({ top_k, max_tokens });
      expect(results.length).toBeGreaterThan(0);
      expect(results.length - summary.neighbors_added).toBeLessThanOrEqual(top_k);
      expect(total_tokens).toBeLessThanOrEqual(max_tokens);
      expect(results.reduce((sum, { token_count }) => sum + token_count, 0)).toBe(total_tokens);
    }
  });

  it('never shows a tenant what another has', async () => {
    expect(
      JSON.stringify(await rmh({ max_rounds: 3, top_k: 50, neighbor_line_radius: 500 })),
    ).not.toContain('canary');
    const theirs = await rmh({ max_rounds: 3, top_k: 50, neighbor_line_radius: 500 }, api.keyB);
    expect(theirs.results.length).toBeGreaterThan(0);
    for (const { citation } of theirs.results) expect(citation.source_name).toBe('Theirs');
    const foreign = await rmh({ source_ids: [source] }, api.keyB);
    expect(foreign).not.toHaveProperty('results');
  });

  it('follows the filters in every round and around every hit', async () => {
    const answer = await rmh({ max_rounds: 3, top_k: 50, path_patterns: ['src/limit.py'] });
    expect(new Set(pathsOf(answer))).toEqual(new Set(['src/limit.py']));
  });

  it('follows the policy: refusal, priority, staleness', async () => {
    const nothing = await rmh({ query: 'zebra xylophone' });
    expect(nothing).toMatchObject({ query: 'zebra xylophone', sources_searched: 1 });
    expect(nothing).not.toHaveProperty('results');
    expect(nothing).not.toHaveProperty('rmh');
    await api.call('PUT', '/policy', { enforce_refusal: true, min_evidence_count: 100 });
    const refusal = await rmh({ neighbor_line_radius: 500 });
    expect(refusal).not.toHaveProperty('results');
    expect(refusal.suggestions.join()).toContain('PUT /policy');
    await api.call('PUT', '/policy', { enforce_refusal: false, source_priorities: { repo: 0 } });
    expect(await rmh({})).not.toHaveProperty('results');
    await api.call('POST', '/policy/reset');
    const syncedAt = new Date(Date.now() - 40 * DAY_MS);
    await publish(api, [{ path: 'old.py', content: 'ancient_fossil = 1' }], {
      tenant: api.tenantA,
      name: 'Old',
      syncedAt,
    });
    const stale = await rmh({ query: 'ancient_fossil' });
    expect(stale.warnings).toEqual(['Results include sources stale beyond 30 day policy: Old']);
    expect(
      JSON.stringify(await rmh({ query: 'ancient_fossil', include_stale: false })),
    ).not.toContain('old.py');
  });

  it('joins nothing where a document has no lines', async () => {
    const definition = { source_type: 'docs', docs_format: 'openapi' } as const;
    const pets = [
      { path: 'pets.json', endpointKey: 'GET /pets', schemaHash: 'aa', content: 'Lists marmosets' },
    ];
    await publish(api, pets, { tenant: api.tenantB, name: 'Pets', definition });
    const answer = await rmh({ query: 'marmosets', top_k: 1 }, api.keyB);
    expect(answer.results[0]?.citation).toMatchObject({ path: 'pets.json' });
    expect(answer.rmh).toMatchObject({ neighbors_added: 0, merged_chunk_count: 0 });
  });

  it('judges by the question alone whether it can be answered: hops, whose words are there, take their part of that', async () => {
    const model = localModel({ id: MEANING_ID });
    const waits = Array.from({ length: 250 }, (_, at) => ({
      path: `src/wait${at}.py`,
      content: `retry(socket, milliseconds=${at})`,
    }));
    const shop = [
      { path: 'shop/catalogue.md', content: 'Jewellery for the turnip feast.' },
      { path: 'shop/feast.md', content: 'The turnip feast begins with parsnips.' },
    ];
    const { tenantB: tenant, keyB } = api;
    const about = await publish(api, [...waits, ...shop], { tenant, model, name: 'Waits' });
    const fields = {
      query:
        'who decides which pages about jewellery are printed again after prices have changed twice',
      source_ids: [about],
      expand_neighbors: false,
      max_rounds: 2,
      top_k: 50,
    };
    const judged = await rmh(fields, keyB);
    // With a filter on paths it is not known how much was searched, and nothing is judged.
    const plain = await rmh({ ...fields, path_patterns: ['**'] }, keyB);
    expect(judged.rmh.rounds_executed).toBe(2);
    expect(pathsOf(judged)).toEqual(pathsOf(plain));
    expect(pathsOf(judged)).toContain('shop/feast.md');
    const ratios = judged.results.map(({ score }, at) => score / (plain.results[at]?.score ?? NaN));
    expect(Math.abs((ratios[0] ?? 1) - 1)).toBeGreaterThan(0.05);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0] ?? NaN, 6);
  });
});
