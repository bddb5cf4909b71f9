import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  DefinitionsView,
  ErrorView,
  ReceiptView,
  SourceOutlineView,
} from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { searchCharges } from '#test/support/api/search-charges';

const DAY_MS = 86_400_000;
const CART = 'class CartStore:\n    def total(self):\n        return add(self)\n';

describe('symbols and definitions', () => {
  let api: ApiHarness;
  let shop: string;
  let old: string;
  let foreign: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const lines = { start_line: 1, end_line: 3 };
    const definitions = [
      {
        name: 'CartStore',
        symbol: 'CartStore',
        ...lines,
        place: { kind: 'class', line: 1, column: 7, last_line: 3 },
      },
      {
        name: 'total',
        symbol: 'CartStore.total',
        ...lines,
        place: { kind: 'method', line: 2, column: 9, last_line: 3 },
      },
    ] as const;
    const members = [
      { name: 'owner', parent: 'CartStore', kind: 'property', line: 2, column: 5, last_line: 2 },
    ] as const;
    const cart = { content: CART, defs: ['CartStore', 'total'], definitions };
    shop = await publish(
      api,
      [
        { path: 'tests/cart.py', ...cart },
        { path: 'src/cart.py', ...cart, members },
        { path: 'src/use.py', content: 'from cart import CartStore\nCartStore().total()\n' },
      ],
      { tenant: api.tenantA, name: 'Shop' },
    );
    old = await publish(
      api,
      [{ path: 'old.rb', content: 'class CartShelf', defs: ['CartShelf'], language: 'ruby' }],
      { tenant: api.tenantA, name: 'Old', syncedAt: new Date(Date.now() - 400 * DAY_MS) },
    );
    foreign = await publish(
      api,
      [{ path: 'canary.py', content: 'class CartStore', defs: ['CartStore'] }],
      { tenant: api.tenantB, name: 'Theirs' },
    );
  });
  afterAll(() => api.stop());

  const get = (query: string, key?: string) =>
    api.call<DefinitionsView & ErrorView>(
      'GET',
      `/${query}`,
      undefined,
      key === undefined ? {} : { key },
    );
  const places = ({ definitions }: DefinitionsView) =>
    definitions.map(({ path, line, symbol }) => `${path}:${line} ${symbol}`);

  it('find a name with its kind, lines, column and version; sources before tests', async () => {
    const { status, body, headers } = await get('definitions?name=CartStore');
    expect(status).toBe(200);
    expect(places(body)).toEqual(['src/cart.py:1 CartStore', 'tests/cart.py:1 CartStore']);
    expect(body).toMatchObject({
      query: 'CartStore',
      count: 2,
      precision: { resolved: 0, name: 2 },
      complete: true,
      sources_searched: 2,
      warnings: [],
    });
    expect(body.definitions[0]).toMatchObject({
      kind: 'class',
      parent: null,
      source_id: shop,
      source_name: 'Shop',
      version_ref: 'commit-1',
      column: 7,
      start_line: 1,
      end_line: 3,
      match: 'exact',
      is_stale: false,
    });
    expect(headers['x-receipt-id']).toEqual(expect.any(String));
  });

  it('find names by beginning and humps, the closest first', async () => {
    const symbols = async (query: string) =>
      (await get(`symbols?query=${query}`)).body.definitions.map(({ name, match }) => [
        name,
        match,
      ]);
    expect(await symbols('CS')).toEqual([
      ['CartShelf', 'humps'],
      ['CartStore', 'humps'],
      ['CartStore', 'humps'],
    ]);
    expect(await symbols('cartst')).toEqual([
      ['CartStore', 'prefix_case'],
      ['CartStore', 'prefix_case'],
    ]);
    expect(await symbols('Store')).toEqual([]);
    expect((await get('definitions?name=cartstore')).body.hints.join()).toContain('/symbols');
  });

  it('find the identifier at a place', async () => {
    const at = (line: number, column: number) =>
      get(`definitions?source_id=${shop}&path=src/use.py&line=${line}&column=${column}`);
    for (const column of [1, 5, 10]) expect((await at(2, column)).body.query).toBe('CartStore');
    const { body } = await at(2, 13);
    expect(places(body)).toEqual([
      'src/cart.py:2 CartStore.total',
      'tests/cart.py:2 CartStore.total',
    ]);
    expect((await at(2, 11)).body.code).toBe('validation_failed');
    expect((await at(9, 1)).body.code).toBe('validation_failed');
  });

  it('find fields with their kind, place and type, by name and by beginning', async () => {
    const { body } = await get('definitions?name=owner');
    expect(body.definitions).toMatchObject([
      {
        symbol: 'CartStore.owner',
        parent: 'CartStore',
        kind: 'property',
        path: 'src/cart.py',
        line: 2,
        column: 5,
        precision: 'name',
      },
    ]);
    expect(places((await get('symbols?query=OWN')).body)).toEqual([
      'src/cart.py:2 CartStore.owner',
    ]);
    const outline = await api.call<SourceOutlineView>(
      'GET',
      `/sources/${shop}/outline?path=src/cart.py`,
    );
    expect(outline.body.definitions.map(({ symbol, kind }) => `${kind} ${symbol}`)).toEqual([
      'class CartStore',
      'property CartStore.owner',
      'method CartStore.total',
    ]);
  });

  it('limit the scope to sources, paths and languages', async () => {
    const found = async (query: string) =>
      (await get(`symbols?query=Cart&${query}`)).body.definitions.map(({ path }) => path);
    expect(await found(`source_ids=${old},${unknownId()}`)).toEqual(['old.rb']);
    expect(await found('path_patterns=src/**')).toEqual(['src/cart.py']);
    expect(await found('languages=Ruby')).toEqual(['old.rb']);
  });

  it('warn about content of earlier versions', async () => {
    const { body } = await get('definitions?name=CartShelf');
    expect(body.definitions).toMatchObject([{ kind: null, line: null, start_line: 1 }]);
    expect(body.warnings.join()).toContain('earlier version');
  });

  it('continue by cursor to the same definitions', async () => {
    const whole = places((await get('symbols?query=Cart')).body);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query: string = `symbols?query=Cart&limit=1${cursor ? `&cursor=${cursor}` : ''}`;
      const { body } = await get(query);
      expect(body.complete).toBe(body.next_cursor === undefined);
      found.push(...places(body));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    expect(found).toEqual(whole);
    expect(found).toHaveLength(3);
    const { body } = await get('symbols?query=Cart&limit=1');
    expect((await get(`symbols?query=Ca&cursor=${body.next_cursor}`)).status).toBe(400);
    expect((await get('symbols?query=Ca&cursor=x')).status).toBe(400);
  });

  it('reject a name with a place, a part of a place, and unknown places', async () => {
    const code = async (query: string) => (await get(`definitions?${query}`)).body.code;
    const place = `source_id=${shop}&path=src/use.py`;
    expect(await code('')).toBe('validation_failed');
    expect(await code(`name=x&${place}&line=1&column=1`)).toBe('validation_failed');
    expect(await code(`${place}&line=1`)).toBe('validation_failed');
    expect(await code(`${place}x&line=1&column=1`)).toBe('content_not_found');
    for (const id of [foreign, unknownId(), 'nonsense'])
      expect(await code(`source_id=${id}&path=canary.py&line=1&column=7`)).toBe('source_not_found');
  });

  it('never show definitions of another tenant', async () => {
    expect(JSON.stringify((await get('symbols?query=Cart')).body)).not.toContain('canary');
    const theirs = await get(`definitions?name=CartStore&source_ids=${shop},${foreign}`, api.keyB);
    expect(theirs.body.definitions.map(({ path }) => path)).toEqual(['canary.py']);
    const none = await get(`definitions?name=total`, api.keyB);
    expect(none.body).toMatchObject({ count: 0, complete: true });
  });

  it('obey staleness and priorities of the policy', async () => {
    const policy = async (body: object) =>
      expect((await api.call('PUT', '/policy', body)).status).toBe(200);
    await policy({ enforce_staleness: true, staleness_budget_seconds: 30 * 86_400 });
    expect((await get('definitions?name=CartShelf')).body.count).toBe(1);
    expect((await get('definitions?name=CartShelf&include_stale=false')).body.count).toBe(0);
    await policy({ source_priorities: { repo: 0 } });
    expect((await get('definitions?name=CartStore')).body).toMatchObject({
      count: 0,
      sources_searched: 0,
    });
    await policy({ source_priorities: { repo: 1 }, enforce_staleness: false });
  });

  it('cost one search, and their receipts replay equal', async () => {
    const before = await searchCharges(api, api.tenantA);
    await get('symbols?query=nothing_has_this_name');
    const { headers } = await get('definitions?name=nothing_has_this_name');
    expect(await searchCharges(api, api.tenantA)).toBe(before + 2);
    const id = String(headers['x-receipt-id']);
    const receipt = await api.call<ReceiptView>('GET', `/receipts/${id}`);
    expect(receipt.body).toMatchObject({
      kind: 'code',
      outcome: 'no_evidence',
      query: 'nothing_has_this_name',
      parameters: { operation: 'definitions' },
      code: { lines: 0, complete: true },
    });
    const paths = ['definitions?name=CartStore', `symbols?query=CS&limit=1`, 'symbols?query=owner'];
    for (const path of paths) {
      const given = await get(path);
      const replay = await api.call<DefinitionsView>(
        'POST',
        `/receipts/${String(given.headers['x-receipt-id'])}/replay`,
      );
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      expect(replay.body.definitions).toEqual(given.body.definitions);
    }
  });

  it('of a version without fields replay equal once a later version has them', async () => {
    const own = { tenant: api.tenantA, name: 'Fields' };
    const content = 'class Plain:\n    plain_size = 1\n';
    const file = { path: 'plain.py', content };
    const sourceId = await publish(api, [file], own);
    const given = await get(`definitions?name=plain_size&source_ids=${sourceId}`);
    expect(given.body.count).toBe(0);
    const place = { kind: 'property', line: 2, column: 5, last_line: 2 } as const;
    const members = [{ name: 'plain_size', parent: 'Plain', ...place }];
    await publish(api, [{ ...file, members }], { ...own, sourceId, generation: 2 });
    expect((await get('definitions?name=plain_size')).body.count).toBe(1);
    const id = String(given.headers['x-receipt-id']);
    const replay = await api.call<DefinitionsView>('POST', `/receipts/${id}/replay`);
    expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
    expect(replay.body.definitions).toEqual([]);
  });
});
