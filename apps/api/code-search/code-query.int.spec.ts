import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CodeSearchResponseView, ReceiptView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const CART = 'class Cart:\n    def total(self):\n        return 0\nkey = "[redacted:github_token]"';

describe('the query language of code search', () => {
  let api: ApiHarness;
  let shop: string;
  let other: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const definition = { name: 'Cart', symbol: 'Cart', start_line: 1, end_line: 3 };
    shop = await publish(
      api,
      [
        { path: 'src/cart.py', content: CART, defs: ['Cart'], definitions: [definition] },
        { path: 'src/cart_test.py', content: 'Cart().total' },
        { path: 'web/cart.ts', content: 'cart.total()', language: 'typescript' },
      ],
      {
        tenant: api.tenantA,
        name: 'Shop',
        leftOut: { 'logo.png': 'binary', 'big.json': 'too_large', 'photo.png': 'binary' },
      },
    );
    other = await publish(api, [{ path: 'other.py', content: 'total' }], {
      tenant: api.tenantA,
      name: 'Other',
    });
    await publish(api, [{ path: 'theirs.py', content: 'Cart total canary' }], {
      tenant: api.tenantB,
      name: 'Theirs',
      leftOut: { 'their.bin': 'binary' },
    });
  });
  afterAll(() => api.stop());

  const search = (body: object) => api.call<CodeSearchResponseView>('POST', '/search/code', body);
  const places = ({ files }: CodeSearchResponseView) =>
    files.flatMap(({ path, lines }) =>
      lines.length === 0 ? [path] : lines.map(({ number }) => `${path}:${number}`),
    );

  it.each([
    ['total Cart', ['src/cart.py:1', 'src/cart.py:2', 'src/cart_test.py:1']],
    ['total -file:test repo:shop', ['src/cart.py:2', 'web/cart.ts:1']],
    ['lang:typescript total or sym:Cart', ['src/cart.py:1', 'web/cart.ts:1']],
    ['/def \\w+/ case:yes', ['src/cart.py:2']],
    ['type:file cart', ['src/cart.py', 'src/cart_test.py', 'web/cart.ts']],
  ])('finds %s', async (query, expected) => {
    const { status, body } = await search({ query });
    expect(status).toBe(200);
    expect(places(body)).toEqual(expected);
    expect(body.query.pattern).toBe(query);
    const got = await api.call<CodeSearchResponseView>(
      'GET',
      `/search/code?query=${encodeURIComponent(query)}`,
    );
    expect(got.body.files).toEqual(body.files);
  });

  it('shows the parsed query', async () => {
    const { body } = await search({ query: 'a "b c" -d' });
    expect(body.query.parsed).toBe('(and content:"a"i content:"b c"i (not content:"d"i))');
  });

  it.each([
    ['an unknown filter', { query: 'a lan:go' }, 'unknown filter lan', '(at character 3)'],
    ['an open group', { query: '/a(b/' }, 'or put the text in quotes', '(at character 3)'],
    ['an unclosed quote', { query: '"a' }, 'unclosed quote', '(at character 1)'],
    ['negations alone', { query: '-a' }, 'without negation', '(at character 1)'],
    ['look-around', { query: 'b /a(?=b)/' }, 'look-around', '(at character 5)'],
    ['a backreference', { query: '/(a)\\1/' }, 'backreference', '(at character 5)'],
    ['too much repetition', { query: '/(\\w{99}){999}/' }, 'too large', ''],
    ['query and pattern', { query: 'a', pattern: 'b' }, 'must not be given with pattern', ''],
    ['neither', {}, 'give pattern or query', ''],
    ['a long query', { query: 'a'.repeat(1_001) }, '1000', ''],
  ])('rejects %s', async (_, request, problem, position) => {
    const { status, body } = await search(request);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(problem);
    expect(JSON.stringify(body)).toContain(position);
  });

  it('names a likely mistake when nothing matches', async () => {
    const { body } = await search({ query: 'foo|total' });
    expect(body.hints.join()).toContain('write /foo|total/');
  });

  it('continues with its cursor to the same files as one whole answer', async () => {
    for (const query of ['total', 'file:cart', 'total or Cart']) {
      const whole = await search({ query });
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await search({ query, limit: 1, ...(cursor && { cursor }) });
        found.push(...places(body));
        cursor = body.next_cursor;
      } while (cursor !== undefined);
      expect(found).toEqual(places(whole.body));
      expect(found.length).toBeGreaterThan(2);
    }
  });

  it('lists each source with a matching document once for type:repo', async () => {
    const named = ({ sources = [] }: CodeSearchResponseView) =>
      sources.map(({ source_name }) => source_name);
    const { body } = await search({ query: 'type:repo o' });
    expect(named(body)).toEqual(['Other', 'Shop']);
    expect(body).toMatchObject({ files: [], count: 2, complete: true });
    expect(named((await search({ query: 'type:repo content:Cart' })).body)).toEqual(['Shop']);
    expect((await search({ query: 'type:repo Theirs' })).body).toMatchObject({ sources: [] });
    expect((await search({ query: 'total' })).body.sources).toBeUndefined();
  });

  it('lists no source twice when it continues, and replays equal', async () => {
    const query = 'type:repo content:total';
    const first = await search({ query, limit: 1 });
    expect(first.body).toMatchObject({ complete: false, incomplete_reason: 'limit', count: 1 });
    const second = await search({ query, limit: 1, cursor: first.body.next_cursor });
    const found = [first, second].flatMap(({ body }) => body.sources?.map((one) => one.source_id));
    expect(found).toEqual([other, shop]);
    expect(second.body.complete).toBe(true);
    const id = String(first.headers['x-receipt-id']);
    const replay = await api.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.sources).toEqual(first.body.sources);
  });

  it('leaves a receipt that replays equal', async () => {
    const first = await search({ query: 'total -file:test' });
    const id = String(first.headers['x-receipt-id']);
    const { body: receipt } = await api.call<ReceiptView>('GET', `/receipts/${id}`);
    expect(receipt).toMatchObject({ kind: 'code', query: 'total -file:test' });
    const replay = await api.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(replay.body.files).toEqual(first.body.files);
  });

  it('counts what the sync left out and redacted, of the own sources alone', async () => {
    const { body } = await search({ query: 'absent' });
    expect(body).toMatchObject({ complete: true, count: 0, warnings: [] });
    expect(body.left_out).toEqual([
      {
        source_id: shop,
        source_name: 'Shop',
        files: { binary: 2, too_large: 1 },
        redacted_documents: 1,
      },
    ]);
    const narrow = await search({ pattern: 'absent', source_ids: [other] });
    expect(narrow.body).toMatchObject({ sources_searched: 1, left_out: [] });
  });
});
