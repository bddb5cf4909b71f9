import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SearchResponse, SearchResult } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const QUERY = 'how is the request context pushed';

describe('the explanation of scores', () => {
  let api: ApiHarness;

  beforeAll(async () => {
    api = await ApiHarness.start();
    for (const tenant of [api.tenantA, api.tenantB]) {
      await publish(
        api,
        [
          { path: 'src/context.py', content: 'def push_request_context(self):\n    return self' },
          { path: 'src/context.py', content: 'def pop_request_context(self):\n    return None' },
          { path: 'tests/test_context.py', content: 'def test_request_context_is_pushed(): ...' },
          {
            path: 'src/harbor.py',
            content:
              'def weigh(ferry):\n    "the harbor master weighs incoming ferries at low tide"',
          },
          {
            path: 'src/harbor.py',
            content: 'def close(ferry):\n    return ferry.gone()',
            startLine: 10,
            ordinal: 1,
          },
          { path: 'src/pier.py', content: 'def master(pier):\n    "low tide of incoming water"' },
        ],
        { tenant },
      );
    }
  });
  afterAll(() => api.stop());

  const search = async (body: object, key: string): Promise<readonly SearchResult[]> => {
    const answer = await api.call<SearchResponse>('POST', '/search', body, { key });
    expect(answer.status).toBe(200);
    return answer.body.results;
  };

  it('sums to the score of each result, for every tenant', async () => {
    for (const key of [api.keyA, api.keyB]) {
      const results = await search({ query: QUERY, explain: true }, key);
      expect(results.length).toBeGreaterThan(1);
      for (const { score, explanation } of results) {
        const sum = explanation?.contributions.reduce((total, { value }) => total + value, 0);
        expect(explanation?.score).toBe(score);
        expect(Math.abs((sum ?? 0) - score)).toBeLessThan(1e-9);
      }
      const names = results.map(
        ({ explanation }) => explanation?.contributions.map(({ name }) => name) ?? [],
      );
      expect(names.flat()).toEqual(expect.arrayContaining(['lexical', 'semantic', 'priors']));
    }
  });

  it('names the passages part of a second passage that moved up, for every tenant', async () => {
    const query = 'how does the harbor master weigh incoming ferries at low tide';
    for (const key of [api.keyA, api.keyB]) {
      const results = await search({ query, explain: true }, key);
      const places = results.map(({ citation }) => citation.path);
      expect(places.slice(0, 3)).toEqual(['src/harbor.py', 'src/harbor.py', 'src/pier.py']);
      const [first, second, third] = results;
      expect(second?.score).toBeLessThanOrEqual(0.8 * (first?.score ?? 0));
      expect(third?.score).toBeLessThanOrEqual(second?.score ?? 0);
      const parts = second?.explanation?.contributions.map(({ name }) => name);
      expect(parts?.at(-1)).toBe('passages');
    }
  });

  it('is absent by default and changes no score', async () => {
    const plain = await search({ query: QUERY }, api.keyA);
    const explained = await search({ query: QUERY, explain: true }, api.keyA);
    for (const result of plain) expect(result).not.toHaveProperty('explanation');
    expect(explained.map(({ score }) => score)).toEqual(plain.map(({ score }) => score));
  });

  it('is rejected by a search that does not compute it', async () => {
    const body = { query: QUERY, explain: true };
    const { status } = await api.call('POST', '/search/rmh', body, { key: api.keyA });
    expect(status).toBe(400);
  });
});
