import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MultiHopResponse, SearchResponse } from '#contracts';
import { countO200k } from '#ingest/chunk/tokens';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';

/**
 * The first chunk holds lines 3 to 12 of its file and three definitions, the second the line after.
 */
const LINES = [
  'class Circle:',
  '    radius = 1',
  '    def area(self):',
  '        return 3 * self.radius',
  '',
  '# By Pythagoras.\r',
  'def compute_hypotenuse(a, b):\r',
  '    return (a * a + b * b) ** 0.5\r',
  '',
  'LIMIT = 7',
];
const content = LINES.join('\n');

const DOCUMENTS: PublishedDocument[] = [
  {
    path: 'src/geometry.py',
    startLine: 3,
    content,
    tokenCount: countO200k(content),
    symbol: 'Circle',
    defs: ['Circle', 'area', 'compute_hypotenuse', 'LIMIT'],
    definitions: [
      { name: 'Circle', symbol: 'Circle', start_line: 3, end_line: 6 },
      { name: 'area', symbol: 'Circle.area', start_line: 5, end_line: 6 },
      { name: 'compute_hypotenuse', symbol: 'compute_hypotenuse', start_line: 8, end_line: 10 },
      { name: 'LIMIT', symbol: 'LIMIT', start_line: 12, end_line: 12 },
    ],
  },
  { path: 'src/geometry.py', ordinal: 1, startLine: 13, content: 'draw(Circle())' },
  { path: 'src/uses.py', content: 'print(compute_hypotenuse(3, 4))' },
  {
    path: 'src/older.py',
    content: 'class Older:\n    pass\ndef compute_older():\n    pass',
    symbol: 'Older',
    defs: ['Older', 'compute_older'],
  },
];

describe('the citation of a definition', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await publish(api, DOCUMENTS, { tenant: api.tenantA });
  });
  afterAll(() => api.stop());

  const ask = async <Answer = SearchResponse>(
    query: string,
    fields: object = {},
    path = '/search',
  ) => {
    const { status, body, text, headers } = await api.call<Answer>('POST', path, {
      query,
      ...fields,
    });
    if (status !== 200) throw new Error(text);
    return { body, receipt: String(headers['x-receipt-id']) };
  };
  const lines = (from: number, to: number): string => LINES.slice(from - 3, to - 2).join('\n');

  it.each([
    ['compute_hypotenuse', 'compute_hypotenuse', 8, 10],
    ['Circle.area', 'Circle.area', 5, 6],
    ['Circle', 'Circle', 3, 6],
    ['LIMIT', 'LIMIT', 12, 12],
  ])(
    'that a name asks for has its symbol, its lines and nothing else: %s',
    async (query, symbol, from, to) => {
      const [best] = (await ask(query)).body.results;
      expect(best?.citation).toMatchObject({
        path: 'src/geometry.py',
        symbol,
        start_line: from,
        end_line: to,
      });
      expect(best?.content).toBe(lines(from, to));
      expect(best?.token_count).toBe(countO200k(lines(from, to)));
    },
  );

  it('that words ask for has its symbol and all lines that were found', async () => {
    for (const query of [
      'how does compute_hypotenuse square its legs',
      'compute the hypotenuse by pythagoras',
    ]) {
      const [best] = (await ask(query)).body.results;
      expect(best?.citation).toMatchObject({
        symbol: 'compute_hypotenuse',
        start_line: 3,
        end_line: 12,
      });
      expect(best?.content).toBe(content);
    }
  });

  it('that was indexed before its place was noted is that of its chunk', async () => {
    const [best] = (await ask('compute_older')).body.results;
    expect(best?.citation).toMatchObject({
      path: 'src/older.py',
      symbol: 'Older',
      start_line: 1,
      end_line: 4,
    });
  });

  it('leaves the budget to other results', async () => {
    const definition = countO200k(lines(8, 10));
    const max_tokens = definition + 10;
    expect(max_tokens).toBeLessThan(countO200k(content));
    const { results } = (await ask('compute_hypotenuse', { max_tokens })).body;
    expect(results.map(({ citation }) => citation.path)).toEqual([
      'src/geometry.py',
      'src/uses.py',
    ]);
  });

  it('is the same when its receipt is replayed', async () => {
    for (const path of ['/search', '/search/rmh']) {
      const { body, receipt } = await ask('compute_hypotenuse', { top_k: 1 }, path);
      const replay = await api.call<SearchResponse>('POST', `/receipts/${receipt}/replay`);
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      const shown = ({ results }: SearchResponse) =>
        results.map((result) => [result.content, result.citation]);
      expect(shown(replay.body)).toEqual(shown(body));
    }
  });

  it('stays in a multi-hop search, which shows the rest of its chunk and more where the budget has room', async () => {
    const rmh = async (fields: object) =>
      (
        await ask<MultiHopResponse>(
          'compute_hypotenuse',
          { top_k: 1, secondary_search: false, ...fields },
          '/search/rmh',
        )
      ).body;
    const bare = await rmh({ expand_neighbors: false });
    expect(bare.results.map((result) => result.content)).toEqual([lines(8, 10)]);
    const tight = await rmh({ max_tokens: countO200k(lines(8, 10)) + 2 });
    expect(tight.results.map((result) => result.content)).toEqual([lines(8, 10)]);
    const wide = await rmh({});
    expect(wide.results.map((result) => result.content)).toEqual([`${content}\ndraw(Circle())`]);
    expect(wide.results[0]?.citation).toMatchObject({
      symbol: 'compute_hypotenuse',
      start_line: 3,
      end_line: 13,
    });
    expect(wide.rmh).toMatchObject({ neighbors_added: 1, merged_chunk_count: 2 });
  });
});
