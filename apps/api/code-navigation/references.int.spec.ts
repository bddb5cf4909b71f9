import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ErrorView, ReceiptView, ReferencesView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { searchCharges } from '#test/support/api/search-charges';

const DAY_MS = 86_400_000;
const PRICE = [
  '# total_price in a comment',
  'def total_price(cart):',
  '    """total_price in a docstring"""',
  "    return sum(cart) + len('total_price')",
].join('\n');
const USE = [
  'from price import total_price',
  '',
  'class Shop:',
  '    def pay(self, cart):',
  '        return self.total_price(total_price(cart)) + total_prices',
].join('\n');

describe('references', () => {
  let api: ApiHarness;
  let shop: string;
  let old: string;
  let foreign: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    shop = await publish(
      api,
      [
        {
          path: 'src/price.py',
          content: PRICE,
          defs: ['total_price'],
          definitions: [
            {
              name: 'total_price',
              symbol: 'total_price',
              start_line: 1,
              end_line: 4,
              place: { kind: 'function', line: 2, column: 5, last_line: 4 },
            },
          ],
        },
        {
          path: 'src/use.py',
          content: USE,
          defs: ['pay'],
          definitions: [
            {
              name: 'pay',
              symbol: 'Shop.pay',
              start_line: 4,
              end_line: 5,
              place: { kind: 'method', line: 4, column: 9, last_line: 5 },
            },
          ],
        },
        { path: 'README.md', content: 'Call total_price.', language: 'markdown' },
      ],
      { tenant: api.tenantA, name: 'Shop' },
    );
    old = await publish(
      api,
      [{ path: 'old.rb', content: 'total_price(1) # total_price\n', language: 'ruby' }],
      { tenant: api.tenantA, name: 'Old', syncedAt: new Date(Date.now() - 400 * DAY_MS) },
    );
    foreign = await publish(api, [{ path: 'canary.py', content: 'total_price(2)' }], {
      tenant: api.tenantB,
      name: 'Theirs',
    });
  });
  afterAll(() => api.stop());

  // A thread of a busy machine may take long to load its grammars.
  const get = (query: string, key?: string) =>
    api.call<ReferencesView & ErrorView>(
      'GET',
      `/references?${query.includes('timeout_ms') ? '' : 'timeout_ms=10000&'}${query}`,
      undefined,
      key === undefined ? {} : { key },
    );
  const places = ({ references }: ReferencesView) =>
    references.map(({ path, line, column, kind }) => `${path}:${line}:${column} ${kind}`);
  const ALL = [
    'old.rb:1:1 reference',
    'src/price.py:2:5 definition',
    'src/use.py:1:19 import',
    'src/use.py:5:21 reference',
    'src/use.py:5:33 reference',
  ];

  it('returns identifiers alone, with citation, line and enclosing definition', async () => {
    const { status, body, headers } = await get('name=total_price');
    expect(status).toBe(200);
    expect(places(body)).toEqual(ALL);
    expect(body).toMatchObject({
      query: 'total_price',
      count: 5,
      complete: true,
      sources_searched: 2,
      documents_examined: 4,
    });
    expect([body.precision, body.left_out]).toEqual([{ precise: 0, resolved: 3, name: 2 }, 0]);
    expect(body.warnings.join()).toContain('1 documents with the name');
    expect(body.references[3]).toMatchObject({
      source_id: shop,
      source_name: 'Shop',
      version_ref: 'commit-1',
      language: 'python',
      is_stale: false,
      text: '        return self.total_price(total_price(cart)) + total_prices',
      symbol: 'Shop.pay',
    });
    expect(body.references[1]?.symbol).toBeNull();
    expect(headers['x-receipt-id']).toEqual(expect.any(String));
  });

  it('finds the references of the identifier at a place', async () => {
    const place = `source_id=${shop}&path=src/use.py`;
    const { body } = await get(`${place}&line=5&column=35`);
    expect(body.query).toBe('total_price');
    expect(places(body)).toContain('src/price.py:2:5 definition');
    expect((await get(`${place}&line=5&column=8`)).body.code).toBe('validation_failed');
    expect((await get(`${place}x&line=1&column=1`)).body.code).toBe('content_not_found');
    for (const id of [foreign, unknownId()])
      expect((await get(`source_id=${id}&path=canary.py&line=1&column=1`)).body.code).toBe(
        'source_not_found',
      );
    expect((await get('')).body.code).toBe('validation_failed');
  });

  it('resolves nothing for a place whose meaning is unknown', async () => {
    const { body } = await get(`source_id=${shop}&path=src/use.py&line=5&column=22`);
    expect(body.warnings.join()).toContain('Nothing shows what the identifier');
    expect(places(body)).toEqual(ALL);
    expect(body.precision).toEqual({ precise: 0, resolved: 0, name: 5 });
  });

  it('limits the scope to sources, paths and languages', async () => {
    const found = async (scope: string) => places((await get(`name=total_price&${scope}`)).body);
    expect(await found(`source_ids=${old},${unknownId()}`)).toEqual(ALL.slice(0, 1));
    expect(await found('path_patterns=**/use.py')).toEqual(ALL.slice(2));
    expect(await found('languages=Ruby')).toEqual(ALL.slice(0, 1));
  });

  it('rejects limits and timeouts out of bounds', async () => {
    const status = async (field: string) => (await get(`name=total_price&${field}`)).status;
    for (const field of ['limit=1', 'limit=500', 'timeout_ms=10000'])
      expect(await status(field)).toBe(200);
    for (const field of ['limit=0', 'limit=501', 'timeout_ms=0', 'timeout_ms=10001'])
      expect(await status(field)).toBe(400);
  });

  it('continues by cursor to the same references', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query: string = `name=total_price&limit=1${cursor ? `&cursor=${cursor}` : ''}`;
      const { body } = await get(query);
      expect(body.complete).toBe(body.next_cursor === undefined);
      if (!body.complete) expect(body.incomplete_reason).toBe('limit');
      found.push(...places(body));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    expect(found).toEqual(ALL);
    const { body } = await get('name=total_price&limit=1');
    expect((await get(`name=cart&cursor=${body.next_cursor}`)).status).toBe(400);
    expect((await get('name=total_price&cursor=x')).status).toBe(400);
  });

  it('never shows references of another tenant', async () => {
    expect(JSON.stringify((await get('name=total_price')).body)).not.toContain('canary');
    const theirs = await get(`name=total_price&source_ids=${shop},${foreign}`, api.keyB);
    expect(places(theirs.body)).toEqual(['canary.py:1:1 reference']);
    const none = await get('name=cart', api.keyB);
    expect(none.body).toMatchObject({ count: 0, complete: true });
    expect(none.body.hints.join()).toContain('/search/code');
  });

  it('obeys staleness and priorities of the policy', async () => {
    const policy = async (body: object) =>
      expect((await api.call('PUT', '/policy', body)).status).toBe(200);
    await policy({ enforce_staleness: true, staleness_budget_seconds: 30 * 86_400 });
    expect((await get('name=total_price')).body.references[0]?.is_stale).toBe(true);
    expect(places((await get('name=total_price&include_stale=false')).body)).toEqual(ALL.slice(1));
    await policy({ source_priorities: { repo: 0 } });
    expect((await get('name=total_price')).body).toMatchObject({ count: 0, sources_searched: 0 });
    await policy({ source_priorities: { repo: 1 }, enforce_staleness: false });
  });

  it('costs one search, and its receipt replays equal', async () => {
    const before = await searchCharges(api, api.tenantA);
    const empty = await get('name=no_such_name');
    expect(await searchCharges(api, api.tenantA)).toBe(before + 1);
    const id = String(empty.headers['x-receipt-id']);
    expect((await api.call<ReceiptView>('GET', `/receipts/${id}`)).body).toMatchObject({
      kind: 'code',
      outcome: 'no_evidence',
      query: 'no_such_name',
      parameters: { operation: 'references' },
      code: { lines: 0, complete: true },
    });
    for (const query of ['name=total_price', 'name=total_price&limit=2', 'name=no_such_name']) {
      const given = await get(query);
      const replay = await api.call<ReferencesView>(
        'POST',
        `/receipts/${String(given.headers['x-receipt-id'])}/replay`,
      );
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      expect(replay.body.references).toEqual(given.body.references);
    }
  });

  describe('of a name with two definitions', () => {
    let till: string;
    beforeAll(async () => {
      const place = { kind: 'function', line: 1, column: 17, last_line: 1 } as const;
      const lines = { start_line: 1, end_line: 1 };
      const defining = {
        content: 'export function refund() {}',
        defs: ['refund'],
        definitions: [{ name: 'refund', symbol: 'refund', ...lines, place }],
      };
      const use = [
        "import { refund } from './index';",
        'refund();',
        'function f(refund: number) { return refund; }',
        'x.refund();',
      ].join('\n');
      const files = [
        { path: 'other/refund.ts', ...defining },
        { path: 'other/use.ts', content: "import { refund } from './refund';" },
        { path: 'src/index.ts', content: "export * from './refund';" },
        { path: 'src/refund.ts', ...defining },
        { path: 'src/use.ts', content: use },
      ];
      till = await publish(
        api,
        files.map((file) => ({ ...file, language: 'typescript' })),
        { tenant: api.tenantA, name: 'Till' },
      );
    });

    const found = ({ references }: ReferencesView) =>
      references.map(
        ({ path, line, column, precision }) => `${path}:${line}:${column} ${precision}`,
      );
    const OWN = ['src/refund.ts:1:17 resolved', 'src/use.ts:1:10 resolved'];
    const REST = ['src/use.ts:2:1 resolved', 'src/use.ts:4:3 name'];

    it('leaves out names inside functions', async () => {
      const { body } = await get('name=refund');
      expect(found(body)).toEqual([
        'other/refund.ts:1:17 resolved',
        'other/use.ts:1:10 resolved',
        ...OWN,
        ...REST,
      ]);
      expect([body.precision, body.left_out]).toEqual([{ precise: 0, resolved: 5, name: 1 }, 2]);
    });

    it('leaves out references to another definition than that of the place', async () => {
      const given = await get(`source_id=${till}&path=src/use.ts&line=2&column=1`);
      expect(found(given.body)).toEqual([...OWN, ...REST]);
      expect([given.body.left_out, given.body.warnings]).toEqual([4, []]);
      const replay = await api.call(
        'POST',
        `/receipts/${String(given.headers['x-receipt-id'])}/replay`,
      );
      expect(replay.headers['x-replay-matches']).toBe('true');
    });

    it('returns the uses of a parameter from its function alone', async () => {
      const { body } = await get(`source_id=${till}&path=src/use.ts&line=3&column=37&limit=1`);
      expect(found(body)).toEqual(['src/use.ts:3:12 resolved', 'src/use.ts:3:37 resolved']);
      const next = await get(
        `source_id=${till}&path=src/use.ts&line=3&column=37&limit=1&cursor=${body.next_cursor}`,
      );
      expect([next.body.count, next.body.complete]).toEqual([0, true]);
    });

    it('lists all identifiers if nothing shows what the place stands for', async () => {
      const { body } = await get(`source_id=${till}&path=src/use.ts&line=4&column=3`);
      expect([body.count, body.left_out]).toEqual([6, 2]);
      expect(body.warnings.join()).toContain('Nothing shows');
    });
  });
});
