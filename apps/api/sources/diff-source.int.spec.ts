import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SourceDiffView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

describe('GET /sources/{id}/diff', () => {
  let api: ApiHarness;
  let sourceId: string;
  let foreign: string;
  beforeAll(async () => {
    api = await ApiHarness.start();
    const own = { tenant: api.tenantA };
    sourceId = await publish(
      api,
      [
        { path: 'kept.ts', content: 'same', symbol: 'same' },
        { path: 'changed.ts', content: 'one', symbol: 'first' },
        { path: 'removed.ts', content: 'old', symbol: 'old' },
      ],
      own,
    );
    const next = { ...own, sourceId, generation: 2 };
    await publish(
      api,
      [
        { path: 'kept.ts', content: 'same', symbol: 'same' },
        { path: 'changed.ts', content: 'two', symbol: 'first' },
        { path: 'added.ts', content: 'new', symbol: 'fresh' },
      ],
      next,
    );
    const theirs = { tenant: api.tenantB };
    foreign = await publish(api, [{ path: 'kept.ts', content: 'theirs' }], theirs);
  });
  afterAll(() => api.stop());

  const diff = (query: string, id = sourceId) =>
    api.call<SourceDiffView & { code?: string }>('GET', `/sources/${id}/diff?${query}`);

  it('returns files and symbols that were added, changed and removed', async () => {
    const { status, body } = await diff('from=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ from: 1, to: 2, added: 1, changed: 1, removed: 1 });
    const symbols = (name: string, change: string) => [{ symbol: name, change }];
    expect(body.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'added.ts', change: 'added', symbols: symbols('fresh', 'added'), truncated: false },
      {
        path: 'changed.ts',
        change: 'changed',
        symbols: symbols('first', 'changed'),
        truncated: false,
      },
      {
        path: 'removed.ts',
        change: 'removed',
        symbols: symbols('old', 'removed'),
        truncated: false,
      },
    ]);
    const { body: back } = await diff('from=2&to=1&limit=1&skip=2');
    expect(back).toMatchObject({ added: 1, changed: 1, removed: 1 });
    expect(back.files).toMatchObject([{ path: 'added.ts', change: 'removed' }]);
    expect((await diff('from=2&to=2')).body.files).toEqual([]);
  });

  it('rejects unknown generations, and sources of another tenant', async () => {
    const unknown = await diff('from=9');
    expect([unknown.status, unknown.text]).toEqual([
      400,
      expect.stringContaining('must be a generation of the source (got 9)'),
    ]);
    for (const id of [foreign, unknownId(), 'nonsense'])
      expect([(await diff('from=1', id)).body.code]).toEqual(['source_not_found']);
  });

  it('rejects dropped generations', async () => {
    await api.append(api.tenantA, `generation-${sourceId}`, {
      type: 'GenerationDropped',
      data: { source_id: sourceId, generation: 1, reason: 'superseded' },
    });
    const dropped = await diff('from=1');
    expect([dropped.status, dropped.body.code]).toEqual([409, 'generation_dropped']);
  });
});
