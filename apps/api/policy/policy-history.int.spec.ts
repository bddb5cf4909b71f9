import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  HistoryList,
  PolicyDiffView,
  PolicyRollbackView,
  PolicyView,
} from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';

describe('the history of a policy', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 60 }, { key: api.keyB });
    await api.call('PUT', '/policy', { min_evidence_count: 3, source_priorities: { repo: 2 } });
    await api.call('POST', '/policy/reset');
  });
  afterAll(() => api.stop());

  const history = async (query = '', key = api.keyA) => {
    const url = `/policy/history${query}`;
    return (await api.call<HistoryList>('GET', url, undefined, { key })).body;
  };
  const policy = (query: string, key = api.keyA) =>
    api.call<PolicyView>('GET', `/policy${query}`, undefined, { key });
  const problem = async (method: string, url: string, body?: unknown) => {
    const { status, text } = await api.call(method, url, body);
    return [status, text];
  };

  it('lists who changed what, before and after, a page at a time', async () => {
    const { entries, next } = await history();
    expect(next).toBeNull();
    expect(entries.map(({ action, revision }) => [action, revision])).toEqual([
      ['policy.reset', 2],
      ['policy.updated', 1],
      ['policy.updated', 0],
    ]);
    expect(entries[1]).toMatchObject({
      actor: { type: 'api_key', name: 'test' },
      request_id: expect.any(String),
      changes: [
        { field: 'min_evidence_count', before: 1, after: 3 },
        { field: 'source_priorities.repo', before: 1, after: 2 },
      ],
    });
    const first = await history('?limit=2&order=asc');
    expect(first.entries).toEqual(entries.toReversed().slice(0, 2));
    const rest = await history(`?limit=2&order=asc&after=${first.next}`);
    expect(rest).toEqual({ entries: entries.slice(0, 1), next: null });
    expect((await history('', api.keyB)).entries).toHaveLength(1);
  });

  it('returns the policy as of a record and as of a time, inclusive', async () => {
    const { entries } = await history('?order=asc');
    const budgets = entries.map(async ({ seq, recorded_at }) => {
      const bySeq = await policy(`?as_of_seq=${seq}`);
      const before = await policy(`?as_of_seq=${seq - 1}`);
      const byTime = await policy(`?as_of=${recorded_at}`);
      expect(bySeq.headers['x-as-of-seq']).toBe(String(seq));
      expect(Number(byTime.headers['x-as-of-seq'])).toBeGreaterThanOrEqual(seq);
      return [before.body.staleness_budget_seconds, bySeq.body.staleness_budget_seconds];
    });
    expect(await Promise.all(budgets)).toEqual([
      [2_592_000, 7_200],
      [7_200, 7_200],
      [7_200, 2_592_000],
    ]);
    const [oldest] = entries;
    const then = await policy(`?as_of_seq=${oldest?.seq}`);
    expect(then.headers['etag']).toBe('"1"');
    expect(then.body.updated_at).toBe(oldest?.occurred_at);
    const present = await policy('');
    expect(present.headers['x-as-of-seq']).toBeUndefined();
    expect((await policy(`?as_of_seq=${entries.at(-1)?.seq}`)).body).toEqual(present.body);
  });

  it('rejects moments outside the history of the tenant', async () => {
    const asked = async (query: string) => problem('GET', `/policy?${query}`);
    expect(await asked('as_of=2020-01-01T00:00:00Z')).toEqual([
      400,
      expect.stringContaining('must not be before the first record of the tenant'),
    ]);
    expect(await asked('as_of=2999-01-01T00:00:00Z')).toEqual([
      400,
      expect.stringContaining('must not be in the future'),
    ]);
    expect(await asked('as_of_seq=100000')).toEqual([
      400,
      expect.stringMatching(/must be at most \d+, the newest record \(got 100000\)/),
    ]);
    expect(await asked('as_of_seq=0&as_of=2026-01-01T00:00:00Z')).toEqual([
      400,
      expect.stringContaining('must be absent where as_of is given'),
    ]);
    expect(await asked('as_of=yesterday')).toEqual([400, expect.stringContaining('timestamp')]);
  });

  it('shows the settings that differ between two moments', async () => {
    const { entries } = await history('?order=asc');
    const [first, second, third] = entries.map(({ seq }) => seq);
    const diff = async (query: string) =>
      (await api.call<PolicyDiffView>('GET', `/policy/diff?${query}`)).body;
    expect(await diff(`from_seq=${first}&to_seq=${third}`)).toEqual({
      from_seq: first,
      to_seq: third,
      changes: [{ field: 'staleness_budget_seconds', before: 7_200, after: 2_592_000 }],
    });
    expect((await diff(`from_seq=${second}&to_seq=${first}`)).changes).toEqual([
      { field: 'min_evidence_count', before: 3, after: 1 },
      { field: 'source_priorities.repo', before: 2, after: 1 },
    ]);
    expect((await diff(`from_seq=${third}`)).changes).toEqual([]);
    expect((await problem('GET', '/policy/diff'))[0]).toBe(400);
  });

  it('rolls back by a new event, honors If-Match and reports that nothing changed', async () => {
    const rollback = (body: object, headers: Record<string, string> = {}) =>
      api.call<PolicyRollbackView>('POST', '/policy/rollback', body, { headers });
    expect((await rollback({ revision: 0 }, { 'if-match': '"1"' })).status).toBe(412);
    const back = await rollback({ revision: 1 }, { 'if-match': '"3"' });
    expect([back.status, back.headers['etag']]).toEqual([200, '"4"']);
    expect(back.body).toMatchObject({
      changed: true,
      changes: [
        { field: 'min_evidence_count', before: 1, after: 3 },
        { field: 'source_priorities.repo', before: 1, after: 2 },
        { field: 'staleness_budget_seconds', before: 2_592_000, after: 7_200 },
      ],
      policy: { min_evidence_count: 3, staleness_budget_seconds: 7_200 },
    });
    const again = await rollback({ revision: 1 });
    expect([again.status, again.headers['etag']]).toEqual([200, '"4"']);
    expect(again.body).toMatchObject({ changed: false, changes: [] });
    expect((await history()).entries.map(({ revision }) => revision)).toEqual([3, 2, 1, 0]);
    expect(await problem('POST', '/policy/rollback', { revision: 4 })).toEqual([
      400,
      expect.stringContaining('newest revision of the policy, 3 (got 4)'),
    ]);
    expect((await policy('', api.keyB)).body.staleness_budget_seconds).toBe(60);
  });
});
