import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  HistoryList,
  KeyList,
  SourceHistoryList,
  SourceList,
  SourceView,
} from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

describe('the history of sources', () => {
  let api: ApiHarness;
  let kept: string;
  let removed: string;
  beforeAll(async () => {
    api = await ApiHarness.start();
    kept = await publish(api, [{ path: 'a.ts', content: 'first version' }], {
      tenant: api.tenantA,
      name: 'Kept',
    });
    removed = await api.createSource('Removed');
    await api.createSource('Theirs', api.keyB);
    await api.call('PATCH', `/sources/${removed}`, { name: 'Renamed', branch: 'next' });
    await api.call('DELETE', `/sources/${removed}`);
  });
  afterAll(() => api.stop());

  const get = async <Body>(url: string, key = api.keyA) =>
    api.call<Body>('GET', url, undefined, { key });
  const history = async (id: string, query = '') =>
    (await get<SourceHistoryList>(`/sources/${id}/history?order=asc${query}`)).body;

  it('shows the changes of a removed source, before and after', async () => {
    const { entries, next } = await history(removed);
    expect(next).toBeNull();
    expect(entries.map(({ action }) => action)).toEqual([
      'source.registered',
      'source.updated',
      'source.removed',
    ]);
    expect(entries[1]?.changes).toEqual([
      { field: 'definition.branch', before: 'main', after: 'next' },
      { field: 'name', before: 'Removed', after: 'Renamed' },
    ]);
    expect(entries[1]?.actor).toMatchObject({ type: 'api_key' });
    expect((await history(removed, '&limit=1')).next).toBe(entries[0]?.seq);
  });

  it('shows publications with their generations', async () => {
    const { entries } = await history(kept);
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'job.completed', generation: 1 }),
    );
  });

  it('returns sources as of each record of their histories', async () => {
    const { entries } = await history(removed);
    const states = entries.map(async ({ seq }) => {
      const one = await get<SourceView>(`/sources/${removed}?as_of_seq=${seq}`);
      const all = await get<SourceList>(`/sources?as_of_seq=${seq}`);
      expect(one.headers['x-as-of-seq'] ?? String(seq)).toBe(String(seq));
      expect(all.headers['x-as-of-seq']).toBe(String(seq));
      return [one.status, one.body.name, all.body.sources.map(({ name }) => name), all.body.total];
    });
    expect(await Promise.all(states)).toEqual([
      [200, 'Removed', ['Removed', 'Kept'], 2],
      [200, 'Renamed', ['Renamed', 'Kept'], 2],
      [404, undefined, ['Kept'], 1],
    ]);
    const present = await get<SourceView>(`/sources/${kept}`);
    const last = entries.at(-1)?.seq;
    expect((await get(`/sources/${kept}?as_of_seq=${last}`)).body).toEqual(present.body);
    expect((await get(`/sources?as_of=2020-01-01T00:00:00Z`)).body).toEqual({
      sources: [],
      total: 0,
    });
  });

  it('answers unknown, malformed and foreign ids alike', async () => {
    for (const id of [unknownId(), 'nonsense', removed]) {
      const key = id === removed ? api.keyB : api.keyA;
      for (const url of [`/sources/${id}/history`, `/sources/${id}?as_of_seq=0`]) {
        const { status, body } = await get<{ code: string }>(url, key);
        expect([url, status, body.code]).toEqual([url, 404, 'source_not_found']);
      }
    }
  });

  it('returns keys as they were', async () => {
    const { body: key } = await api.call<{ id: string }>('POST', '/keys', { name: 'late' });
    await api.call('DELETE', `/keys/${key.id}`);
    const url = `/audit/events?target_type=api_key&target_id=${key.id}&order=asc`;
    const { body } = await get<{ events: HistoryList['entries'] }>(url);
    const [issued, revoked] = body.events.map(({ seq }) => seq);
    const at = async (seq: number | undefined) =>
      (await get<KeyList>(`/keys?as_of_seq=${seq}`)).body.keys.find(({ id }) => id === key.id);
    expect(await at((issued ?? 0) - 1)).toBeUndefined();
    expect(await at(issued)).toMatchObject({ name: 'late', revoked_at: null });
    expect(await at(revoked)).toMatchObject({ revoked_at: expect.any(String) });
  });
});
