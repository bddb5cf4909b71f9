import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CodeSearchResponseView, ReceiptView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const DAY_MS = 86_400_000;
const CART =
  'class Cart:\n    def total(self):\n        return sum(self.prices)\n\n    # TODO: tax';

describe('code search', () => {
  let api: ApiHarness;
  let shop: string;
  let old: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    shop = await publish(
      api,
      [
        { path: 'src/cart.py', content: CART, symbol: 'Cart', startLine: 11 },
        { path: 'src/tax.ts', content: 'export const TAX = 20; // todo', language: 'typescript' },
        { path: 'a/first.py', content: 'TODO_LIST = []', startLine: 3 },
      ],
      { tenant: api.tenantA, name: 'Shop' },
    );
    old = await publish(api, [{ path: 'old.py', content: 'TODO: remove' }], {
      tenant: api.tenantA,
      name: 'Old',
      syncedAt: new Date(Date.now() - 400 * DAY_MS),
    });
    await publish(api, [{ path: 'secret.py', content: 'TODO: canary of tenant B' }], {
      tenant: api.tenantB,
      name: 'Theirs',
    });
  });
  afterAll(() => api.stop());

  const search = (body: object, key?: string) =>
    api.call<CodeSearchResponseView>(
      'POST',
      '/search/code',
      body,
      key === undefined ? {} : { key },
    );
  const places = ({ files }: CodeSearchResponseView) =>
    files.flatMap(({ path, lines }) => lines.map(({ number }) => `${path}:${number}`));

  it('returns every matching line with its citation, ranges and context', async () => {
    const { status, body, headers } = await search({ pattern: 'self', context_lines: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      count: 2,
      complete: true,
      sources_searched: 2,
      documents_examined: 4,
      query: { pattern: 'self', regex: false, case_sensitive: true, word: false },
      files: [
        {
          source_id: shop,
          source_name: 'Shop',
          path: 'src/cart.py',
          lines: [
            {
              number: 12,
              text: '    def total(self):',
              ranges: [[14, 18]],
              symbol: 'Cart',
              before: ['class Cart:'],
              after: [],
            },
            { number: 13, ranges: [[19, 23]], before: [], after: [''] },
          ],
        },
      ],
    });
    expect(headers['x-receipt-id']).toEqual(expect.any(String));
  });

  it('filters by expression, case, words, paths, languages and sources', async () => {
    const found = async (body: object) => places((await search(body)).body);
    expect(await found({ pattern: 'TODO' })).toEqual([
      'old.py:1',
      'a/first.py:3',
      'src/cart.py:15',
    ]);
    expect(await found({ pattern: 'TODO', word: true })).toEqual(['old.py:1', 'src/cart.py:15']);
    expect(await found({ pattern: 'to+do', regex: true, case_sensitive: false })).toHaveLength(4);
    expect(await found({ pattern: 'TODO', path_patterns: ['src/**'] })).toEqual(['src/cart.py:15']);
    expect(await found({ pattern: 'to', languages: ['TypeScript'] })).toEqual(['src/tax.ts:1']);
    expect(await found({ pattern: 'TODO', source_ids: [old, unknownId()] })).toEqual(['old.py:1']);
    const query = `/search/code?pattern=TODO&word=true&path_patterns=src/**&source_ids=${shop}`;
    const { body } = await api.call<CodeSearchResponseView>('GET', query);
    expect(places(body)).toEqual(['src/cart.py:15']);
  });

  it('continues with its cursor to the same lines as one whole answer', async () => {
    const whole = await search({ pattern: 'o|T', regex: true });
    const lines: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await search({
        pattern: 'o|T',
        regex: true,
        limit: 1,
        ...(cursor && { cursor }),
      });
      expect(body.complete).toBe(body.next_cursor === undefined);
      expect(body.incomplete_reason).toBe(body.complete ? undefined : 'limit');
      lines.push(...places(body));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    expect(lines).toEqual(places(whole.body));
    expect(lines.length).toBeGreaterThan(4);
  });

  it('rejects a cursor of another request', async () => {
    const { body } = await search({ pattern: 'TODO', limit: 1 });
    const other = await search({ pattern: 'todo', limit: 1, cursor: body.next_cursor });
    expect(other.status).toBe(400);
    expect(JSON.stringify(other.body)).toContain('cursor must be the next_cursor');
    expect((await search({ pattern: 'TODO', cursor: 'x' })).status).toBe(400);
  });

  it.each([
    ['an unclosed group', { pattern: 'a(b', regex: true }, 'unclosed group', '(at character 2)'],
    ['an open class', { pattern: 'a[b', regex: true }, 'or set regex to false', ''],
    ['look-around', { pattern: 'a(?!b)', regex: true }, 'look-around', '(at character 2)'],
    ['a program that is too large', { pattern: '(\\w{99}){999}', regex: true }, 'too large', ''],
  ])('rejects %s with its position', async (_, request, problem, position) => {
    const { status, body } = await search(request);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(problem);
    expect(JSON.stringify(body)).toContain(position);
  });

  it('names a likely mistake when nothing matches', async () => {
    const { body } = await search({ pattern: 'foo|TODO' });
    expect(body).toMatchObject({ count: 0, complete: true, files: [] });
    expect(body.hints.join()).toContain('matched literally');
  });

  it('does not claim completeness for a pattern that matches blank lines', async () => {
    const { body } = await search({ pattern: '^\\s*$', regex: true });
    expect(body).toMatchObject({ complete: false, incomplete_reason: 'blank_lines' });
    expect(body.warnings).toHaveLength(1);
  });

  it('never shows or counts content of another tenant', async () => {
    expect((await search({ pattern: 'canary' })).body).toMatchObject({
      count: 0,
      documents_examined: 4,
    });
    const theirs = await search({ pattern: 'TODO' }, api.keyB);
    expect(places(theirs.body)).toEqual(['secret.py:1']);
    expect(theirs.body.documents_examined).toBe(1);
  });

  it('leaves a receipt that replays equal, also of an empty answer', async () => {
    for (const request of [
      { pattern: 'TODO', limit: 2 },
      { pattern: 'absent_name', path_patterns: ['**/*.py'] },
    ]) {
      const first = await search(request);
      const id = String(first.headers['x-receipt-id']);
      const { body: receipt } = await api.call<ReceiptView>('GET', `/receipts/${id}`);
      expect(receipt).toMatchObject({
        kind: 'code',
        query: request.pattern,
        code: { lines: first.body.count, complete: first.body.complete },
        results: [],
      });
      const replay = await api.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(replay.body.files).toEqual(first.body.files);
    }
    const { headers } = await search({ pattern: 'TODO' });
    const path = `/receipts/${String(headers['x-receipt-id'])}`;
    expect((await api.call('GET', path, undefined, { key: api.keyB })).status).toBe(404);
  });

  it('removes sources that the policy excludes', async () => {
    const policy = { enforce_staleness: true, staleness_budget_seconds: 30 * 86_400 };
    expect((await api.call('PUT', '/policy', policy)).status).toBe(200);
    const fresh = await search({ pattern: 'TODO', include_stale: false });
    expect(places(fresh.body)).not.toContain('old.py:1');
    expect(places((await search({ pattern: 'TODO' })).body)).toContain('old.py:1');
    const without = { source_priorities: { repo: 0 } };
    expect((await api.call('PUT', '/policy', without)).status).toBe(200);
    expect((await search({ pattern: 'TODO' })).body).toMatchObject({
      count: 0,
      sources_searched: 0,
    });
  });
});
