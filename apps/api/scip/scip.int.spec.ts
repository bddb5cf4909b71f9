import { existsSync, readdirSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  DefinitionsView,
  ErrorView,
  ReferencesView,
  ScipUploadView,
} from '#contracts/http/index';
import { newApiKeySecret } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';
import { type ScipDocumentOf, scipIndex } from '#test/support/scip-index';

import { SCIP_UPLOADS_PER_TENANT, ScipConcurrency } from './scip-concurrency.js';

const DEFINITION = 1;
const PRICE = ['export class Cart {', '  total() {', '    return 1;', '  }', '}'].join('\n');
const USE = [
  "import { Cart } from './price';",
  'export function pay(cart: Cart, other: any) {',
  '  const total = cart.total() + other.total();',
  '  return total;',
  '}',
].join('\n');
const LATER = 'export const bill = (cart: any) => cart.total();';

const cartSymbol = 'scip-test npm shop 1.0.0 src/`price.ts`/Cart#';
const totalSymbol = `${cartSymbol}total().`;
const INDEX: readonly ScipDocumentOf[] = [
  {
    path: 'src/price.ts',
    text: PRICE,
    occurrences: [
      { range: [0, 13, 17], symbol: cartSymbol, roles: DEFINITION },
      { range: [1, 2, 7], symbol: totalSymbol, roles: DEFINITION },
    ],
  },
  {
    path: 'src/use.ts',
    occurrences: [
      { range: [0, 9, 13], symbol: cartSymbol },
      { range: [1, 26, 30], symbol: cartSymbol },
      { range: [2, 8, 13], symbol: 'local 0', roles: DEFINITION },
      { range: [2, 21, 26], symbol: totalSymbol },
      { range: [3, 9, 14], symbol: 'local 0' },
    ],
  },
];
const DOCUMENTS: readonly PublishedDocument[] = [
  {
    path: 'src/price.ts',
    content: PRICE,
    language: 'typescript',
    defs: ['Cart', 'total'],
    definitions: [
      defined('Cart', 'class', 1, 14, 5),
      { ...defined('total', 'method', 2, 3, 4), symbol: 'Cart.total' },
    ],
  },
  { path: 'src/use.ts', content: USE, language: 'typescript' },
  { path: 'src/later.ts', content: LATER, language: 'typescript' },
];

function defined(
  name: string,
  kind: 'class' | 'method',
  line: number,
  column: number,
  last_line: number,
) {
  const place = { kind, line, column, last_line };
  return { name, symbol: name, start_line: line, end_line: last_line, place };
}

describe('PUT /sources/{id}/scip', () => {
  let api: ApiHarness;
  let shop: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    shop = await publish(api, DOCUMENTS, { tenant: api.tenantA, name: 'Shop' });
  });
  afterAll(() => api.stop());

  interface Sent {
    readonly key?: string;
    readonly query?: string;
    readonly headers?: Record<string, string>;
  }
  async function put(body: Uint8Array, { key = api.keyA, query, headers = {} }: Sent = {}) {
    const answer = await api.app.inject({
      method: 'PUT',
      url: `/sources/${shop}/scip${query ?? '?version_ref=commit-1'}`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-protobuf',
        ...headers,
      },
      payload: Buffer.from(body),
    });
    return {
      status: answer.statusCode,
      body: JSON.parse(answer.payload) as ScipUploadView & ErrorView,
    };
  }
  const references = async (query: string) =>
    (
      await api.call<ReferencesView>(
        'GET',
        `/references?${query}&source_ids=${shop}&timeout_ms=10000`,
      )
    ).body;
  const definitions = async (query: string) =>
    (await api.call<DefinitionsView>('GET', `/definitions?${query}&source_ids=${shop}`)).body;
  const at = (path: string, line: number, column: number) =>
    `source_id=${shop}&path=${path}&line=${line}&column=${column}`;
  const blobs = async () => {
    const hashes: string[] = [];
    for await (const { hash } of api.blobs.list()) hashes.push(hash);
    return hashes;
  };
  const shown = ({ references: found }: ReferencesView) =>
    found.map(({ path, line, column, kind, precision }) =>
      [path, line, column, kind, precision].join(':'),
    );

  it('receives two indexes of a tenant at once', async () => {
    const slots = api.app.get(ScipConcurrency);
    const held = Array.from({ length: SCIP_UPLOADS_PER_TENANT }, () => slots.take(api.tenantA));
    const { status, body } = await put(scipIndex(INDEX));
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    slots.take(api.tenantB)();
    held.forEach((release) => release());
  });

  it('rejects what it cannot use, and keeps nothing of it', async () => {
    const before = [await api.eventCount(), await blobs()];
    const index = scipIndex(INDEX);
    const cases: [() => Promise<{ status: number; body: ErrorView }>, number, string][] = [
      [() => put(index, { query: '' }), 400, 'version_ref'],
      [() => put(index, { query: '?version_ref=other' }), 400, 'must be a version of the source'],
      [() => put(index, { query: '?version_ref=commit-1&name=a%20b' }), 400, 'only letters'],
      [
        () => put(index, { query: '?version_ref=commit-1&root=lib' }),
        400,
        'check version_ref and root',
      ],
      [() => put(Buffer.alloc(0)), 400, 'must not be empty'],
      [() => put(index.subarray(0, -3)), 400, 'is truncated'],
      [() => put(Buffer.from('<html>')), 400, 'must start with its metadata'],
      [() => put(scipIndex([{ path: '../../etc/passwd' }])), 400, 'no document for a file'],
      [() => put(scipIndex([{ path: '/src/use.ts' }])), 400, 'no document for a file'],
      [
        () => put(scipIndex([{ path: 'src/use.ts', text: 'other' }])),
        400,
        'no document for a file',
      ],
      [() => put(index, { headers: { 'content-type': 'application/json' } }), 415, 'x-protobuf'],
      [() => put(index, { headers: { 'content-encoding': 'gzip' } }), 415, 'Content-Encoding'],
    ];
    for (const [sent, status, words] of cases) {
      const { status: got, body } = await sent();
      expect([got, JSON.stringify(body)]).toEqual([status, expect.stringContaining(words)]);
    }
    expect([await api.eventCount(), await blobs()]).toEqual(before);
    const folder = `${api.dataDir}/scratch/uploads`;
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('takes other routes no body of its kinds', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await api.call('POST', '/sources', 'x', { headers })).status).toBe(415);
  });

  it('asks for the scope to write, and for a source of the tenant', async () => {
    const reader = newApiKeySecret().secret;
    await api.issueKey(api.tenantA, reader, ['read']);
    expect((await put(scipIndex(INDEX), { key: reader })).body.code).toBe('scope_missing');
    expect((await put(scipIndex(INDEX), { key: api.keyB })).body.code).toBe('source_not_found');
    const own = shop;
    shop = unknownId();
    try {
      expect((await put(scipIndex(INDEX))).body.code).toBe('source_not_found');
    } finally {
      shop = own;
    }
  });

  it('resolves and guesses without an index', async () => {
    expect(shown(await references('name=total'))).toEqual([
      'src/later.ts:1:41:reference:name',
      'src/price.ts:2:3:definition:resolved',
      'src/use.ts:3:22:reference:name',
      'src/use.ts:3:38:reference:name',
    ]);
  });

  describe('with an index', () => {
    let earlier: string;

    beforeAll(async () => {
      const found = await api.call<ReferencesView>(
        'GET',
        `/references?name=total&source_ids=${shop}`,
      );
      earlier = String(found.headers['x-receipt-id']);
      const { status, body } = await put(
        scipIndex([...INDEX, { path: 'gone.ts' }, { path: 'src/use.ts' }]),
        { query: '?version_ref=commit-1&name=typescript' },
      );
      expect([status, body]).toEqual([
        200,
        {
          source_id: shop,
          name: 'typescript',
          version_ref: 'commit-1',
          generation: 1,
          documents: 2,
          current_documents: 2,
          occurrences: 7,
          symbols: 3,
          left_out: { unknown_file: 1, other_text: 0, repeated: 1 },
        },
      ]);
    });

    it('records an event without content', async () => {
      const { body } = await api.call<{ events: { data: unknown; action: string }[] }>(
        'GET',
        '/audit/events?action=source.scip_uploaded&order=desc',
      );
      const text = JSON.stringify(body);
      expect(text).toContain('"source.scip_uploaded"');
      expect(text).not.toContain('scip-test npm');
      const sources = await api.call('GET', `/sources/${shop}`);
      expect(sources.status).toBe(200);
    });

    it('returns precise references by name, and others where it knows none', async () => {
      const found = await references('name=total');
      expect(shown(found)).toEqual([
        'src/later.ts:1:41:reference:name',
        'src/price.ts:2:3:definition:precise',
        'src/use.ts:3:22:reference:precise',
        'src/use.ts:3:38:reference:name',
      ]);
      expect(found.precision).toEqual({ precise: 2, resolved: 0, name: 2 });
      expect(found.left_out).toBe(2);
    });

    it('returns the references of the symbol at a place', async () => {
      expect(shown(await references(at('src/use.ts', 2, 28)))).toEqual([
        'src/price.ts:1:14:definition:precise',
        'src/use.ts:1:10:import:precise',
        'src/use.ts:2:27:reference:precise',
      ]);
      expect(shown(await references(at('src/use.ts', 4, 10)))).toEqual([
        'src/use.ts:3:9:definition:precise',
        'src/use.ts:4:10:reference:precise',
      ]);
    });

    it('returns precise definitions by name and by place', async () => {
      const byName = await definitions('name=total');
      expect(byName.definitions).toMatchObject([{ symbol: 'Cart.total', precision: 'precise' }]);
      expect(byName.precision).toEqual({ precise: 1, resolved: 0, name: 0 });
      const byPlace = await definitions(at('src/use.ts', 3, 23));
      expect(byPlace.definitions).toMatchObject([
        { symbol: 'Cart.total', path: 'src/price.ts', line: 2, precision: 'precise' },
      ]);
      const local = await definitions(at('src/use.ts', 4, 10));
      expect(local.definitions).toMatchObject([
        { name: 'total', path: 'src/use.ts', line: 3, column: 9, kind: null, precision: 'precise' },
      ]);
    });

    it('replays receipts with the indexes of their time', async () => {
      const replay = async (id: string) =>
        (await api.call('POST', `/receipts/${id}/replay`)).headers['x-replay-matches'];
      expect(await replay(earlier)).toBe('true');
      const now = await api.call('GET', `/references?name=total&source_ids=${shop}`);
      expect(await replay(String(now.headers['x-receipt-id']))).toBe('true');
    });

    it('is not applied for another tenant', async () => {
      const theirs = await publish(api, DOCUMENTS, { tenant: api.tenantB, name: 'Shop' });
      const { body } = await api.call<ReferencesView>(
        'GET',
        `/references?name=total&source_ids=${theirs}&timeout_ms=10000`,
        undefined,
        { key: api.keyB },
      );
      expect(body.count).toBeGreaterThan(0);
      expect(body.precision.precise).toBe(0);
    });

    it('applies to the files that a later version leaves unchanged', async () => {
      const changed = USE.replace('pay', 'settle');
      await publish(
        api,
        [
          DOCUMENTS[0] as PublishedDocument,
          { path: 'src/use.ts', content: changed, language: 'typescript' },
        ],
        { tenant: api.tenantA, sourceId: shop, generation: 2 },
      );
      expect(shown(await references(at('src/price.ts', 1, 14)))).toEqual([
        'src/price.ts:1:14:definition:precise',
        'src/use.ts:1:10:import:resolved',
        'src/use.ts:2:30:reference:resolved',
      ]);
      expect(shown(await references(at('src/use.ts', 1, 10)))).toEqual([
        'src/price.ts:1:14:definition:precise',
        'src/use.ts:1:10:import:resolved',
        'src/use.ts:2:30:reference:resolved',
      ]);
      const again = await put(scipIndex(INDEX));
      expect(again.body).toMatchObject({ documents: 2, current_documents: 1, generation: 1 });
    });
  });

  it('changes nothing when the same index comes again', async () => {
    const first = await put(scipIndex(INDEX));
    expect(first.status).toBe(200);
    const events = await api.eventCount();
    expect((await put(scipIndex(INDEX))).body).toEqual(first.body);
    expect(await api.eventCount()).toBe(events);
    expect((await put(scipIndex(INDEX.slice(0, 1)))).body.documents).toBe(1);
    expect(await api.eventCount()).toBe(events + 1);
  });

  it('has at most 16 names for a source', async () => {
    const source = await publish(api, DOCUMENTS, { tenant: api.tenantA, name: 'Names' });
    const own = shop;
    shop = source;
    try {
      const named = (name: string) =>
        put(scipIndex(INDEX), { query: `?version_ref=commit-1&name=${name}` });
      for (let at = 1; at <= 16; at += 1) expect((await named(`n${at}`)).status).toBe(200);
      const { status, body } = await named('n17');
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('16 names')]);
      const { references: found } = await references('name=Cart');
      expect(found.every(({ precision }) => precision === 'precise')).toBe(true);
    } finally {
      shop = own;
    }
  });

  it('converts columns that count bytes or characters', async () => {
    const line = 'const s = "é😀", café = 1;';
    const source = await publish(api, [{ path: 'a.ts', content: line, language: 'typescript' }], {
      tenant: api.tenantA,
      name: 'Columns',
    });
    const own = shop;
    shop = source;
    try {
      for (const [encoding, column] of [
        [1, Buffer.byteLength(line.slice(0, line.indexOf('café')))],
        [3, [...line.slice(0, line.indexOf('café'))].length],
      ] as const) {
        const occurrence = {
          range: [0, column, column + 4],
          symbol: cartSymbol,
          roles: DEFINITION,
        };
        await put(scipIndex([{ path: 'a.ts', encoding, occurrences: [occurrence] }]));
        const found = await references('name=café');
        expect(found.references).toMatchObject([
          { column: line.indexOf('café') + 1, precision: 'precise', kind: 'definition' },
        ]);
      }
    } finally {
      shop = own;
    }
  });

  it('warns of an index that is missing, and answers without it', async () => {
    const source = await publish(api, DOCUMENTS, { tenant: api.tenantA, name: 'Lost' });
    const own = shop;
    shop = source;
    try {
      const before = new Set(await blobs());
      // Its own bytes: the owner is in them.
      await put(scipIndex(INDEX));
      const [table] = (await blobs()).filter((hash) => !before.has(hash));
      await api.blobs.delete(table as string);
      const found = await references('name=Cart');
      expect(found.warnings).toEqual(['A SCIP index of "Lost" is missing; upload it again']);
      expect(found.precision).toMatchObject({ precise: 0 });
      expect(found.count).toBe(3);
    } finally {
      shop = own;
    }
  });
});
