import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  ErrorView,
  ReferencesView,
  ScipIndexList,
  ScipIndexView,
} from '#contracts/http/index';
import { newApiKeySecret } from '#platform';
import { listRegisteredSources } from '#read-model';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';
import { scipIndex } from '#test/support/scip-index';

const CART = 'export const cart = (unit: any) => unit.price;';
const USE = "import { cart } from './cart';\nexport const bill = cart;";
const DOCUMENTS: readonly PublishedDocument[] = [
  { path: 'cart.ts', content: CART, language: 'typescript' },
  { path: 'use.ts', content: USE, language: 'typescript' },
];
const symbol = 'scip-test npm shop 1.0.0 `cart.ts`/cart.';
const DEFINED = { path: 'cart.ts', occurrences: [{ range: [0, 13, 17], symbol, roles: 1 }] };
const INDEX = scipIndex([
  DEFINED,
  { path: 'use.ts', occurrences: [{ range: [1, 20, 24], symbol }] },
  { path: 'gone.ts' },
]);
/** Has other occurrences, so it is another blob. */
const OTHER = scipIndex([DEFINED]);

describe('GET and DELETE /sources/{id}/scip', () => {
  let api: ApiHarness;
  let shop: string;
  let theirs: string;
  const writer = newApiKeySecret().secret;
  const reader = newApiKeySecret().secret;
  let writerId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    shop = await publish(api, DOCUMENTS, { tenant: api.tenantA, name: 'Shop' });
    theirs = await publish(api, DOCUMENTS, { tenant: api.tenantB, name: 'Shop' });
    writerId = await api.issueKey(api.tenantA, writer, ['read', 'write']);
    await api.issueKey(api.tenantA, reader, ['read']);
    await put('typescript');
    await put('other');
    await put('typescript', { source: theirs, key: api.keyB });
  });
  afterAll(() => api.stop());

  async function put(name: string, { source = shop, key = writer } = {}): Promise<void> {
    const { statusCode } = await api.app.inject({
      method: 'PUT',
      url: `/sources/${source}/scip?version_ref=commit-1&name=${name}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-protobuf' },
      payload: name === 'other' ? OTHER : INDEX,
    });
    expect(statusCode).toBe(200);
  }
  const listed = async (source = shop, key = writer) =>
    api.call<ScipIndexList & ErrorView>('GET', `/sources/${source}/scip`, undefined, { key });
  const names = async (source = shop, key = writer) =>
    (await listed(source, key)).body.indexes.map(({ name }) => name);
  const storedBytes = async () => {
    const { rows } = await api.readModel.asOf('sources', listRegisteredSources);
    return rows.find(({ source_id }) => source_id === shop)?.stored_bytes ?? 0;
  };
  const remove = async (name?: string, { source = shop, key = writer } = {}) => {
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    const url = `/sources/${source}/scip${query}`;
    const { status, body } = await api.call<ErrorView | null>('DELETE', url, undefined, { key });
    return [status, body?.code];
  };
  /** Finds `cart`. @returns the number of precise references, and the receipt. */
  const found = async (key = writer) => {
    const { body, headers } = await api.call<ReferencesView>(
      'GET',
      '/references?name=cart&timeout_ms=10000',
      undefined,
      { key },
    );
    expect(body.warnings).toEqual([]);
    return { precise: body.precision.precise, receipt: String(headers['x-receipt-id']) };
  };
  const replayed = async (receipt: string, key = writer) => {
    const url = `/receipts/${receipt}/replay`;
    const { status, body, headers } = await api.call('POST', url, undefined, { key });
    return status === 200 ? headers['x-replay-matches'] : body['code'];
  };

  it('lists the indexes with what applies, what is left out, size, time and actor', async () => {
    const { status, body } = await listed(shop, reader);
    const typescript: ScipIndexView = {
      name: 'typescript',
      version_ref: 'commit-1',
      generation: 1,
      documents: 2,
      current_documents: 2,
      occurrences: 2,
      symbols: 1,
      left_out: { unknown_file: 1, other_text: 0, repeated: 0 },
      stored_bytes: expect.any(Number) as unknown as number,
      uploaded_at: expect.stringMatching(/^20.+Z$/) as unknown as string,
      uploaded_by: { type: 'api_key', id: writerId },
    };
    const other: ScipIndexView = {
      ...typescript,
      name: 'other',
      documents: 1,
      current_documents: 1,
      occurrences: 1,
      left_out: { unknown_file: 0, other_text: 0, repeated: 0 },
    };
    expect([status, body]).toEqual([200, { source_id: shop, indexes: [other, typescript] }]);
    const { stored_bytes } = body.indexes[0] as ScipIndexView;
    expect(stored_bytes).toBeGreaterThan(0);
  });

  it('lists nothing for a source without an index', async () => {
    const source = await api.createSource('Empty');
    expect((await listed(source)).body).toEqual({ source_id: source, indexes: [] });
    expect(await remove(undefined, { source })).toEqual([204, undefined]);
  });

  it('needs the scope to write for a removal, and a source of the tenant', async () => {
    expect(await remove('other', { key: reader })).toEqual([401, 'scope_missing']);
    for (const source of [theirs, unknownId(), 'nonsense']) {
      expect((await listed(source)).body.code).toBe('source_not_found');
      expect(await remove(undefined, { source })).toEqual([404, 'source_not_found']);
    }
    expect(await names(theirs, api.keyB)).toEqual(['typescript']);
  });

  it('rejects names that no index can have', async () => {
    for (const name of ['a b', '', 'n'.repeat(65)])
      expect(await remove(name)).toEqual([400, 'validation_failed']);
    expect(await remove('n'.repeat(64))).toEqual([204, undefined]);
    expect(await names()).toEqual(['other', 'typescript']);
  });

  it('removes one index, once, and records who did', async () => {
    const events = await api.eventCount();
    const { stored_bytes } = (await listed()).body.indexes[0] as ScipIndexView;
    const before = await storedBytes();
    expect(await remove('other')).toEqual([204, undefined]);
    expect(await names()).toEqual(['typescript']);
    expect(await storedBytes()).toBe(before - stored_bytes);
    expect(await remove('other')).toEqual([204, undefined]);
    expect(await api.eventCount()).toBe(events + 1);
    expect((await found()).precise).toBe(2);
    const { body } = await api.call<{ records: unknown[] }>(
      'GET',
      '/audit/events?action=source.scip_removed',
    );
    expect(JSON.stringify(body)).toContain(writerId);
    expect(JSON.stringify(body)).toContain(shop);
    const other = await api.call('GET', '/audit/events?action=source.scip_removed', undefined, {
      key: api.keyB,
    });
    expect(JSON.stringify(other.body)).not.toContain(shop);
  });

  it('rejects a removal under legal hold', async () => {
    expect((await api.call('PUT', '/legal-hold', { reason: 'Case' })).status).toBe(200);
    expect(await remove()).toEqual([409, 'legal_hold']);
    expect(await names()).toEqual(['typescript']);
    await api.call('DELETE', '/legal-hold', { reason: 'Closed' });
  });

  it('finds by syntax at once after a removal, and does not replay what read the index', async () => {
    const [before, other] = [await found(), await found(api.keyB)];
    expect([before.precise, other.precise]).toEqual([2, 2]);
    expect(await replayed(before.receipt)).toBe('true');
    expect(await remove()).toEqual([204, undefined]);
    const after = await found();
    expect(after.precise).toBe(0);
    expect(await names()).toEqual([]);
    expect(await replayed(before.receipt)).toBe('generation_dropped');
    expect(await replayed(after.receipt)).toBe('true');
    expect(await replayed(other.receipt, api.keyB)).toBe('true');
    await put('typescript');
    expect((await found()).precise).toBe(2);
    expect(await replayed(before.receipt)).toBe('true');
    expect(await replayed(after.receipt)).toBe('true');
  });

  it('counts the files that a later version left unchanged', async () => {
    const changed = { path: 'use.ts', content: `${USE}\n`, language: 'typescript' };
    const later = { tenant: api.tenantA, sourceId: shop, generation: 2 };
    await publish(api, [DOCUMENTS[0] as PublishedDocument, changed], later);
    expect((await listed()).body.indexes).toMatchObject([
      { version_ref: 'commit-1', documents: 2, current_documents: 1 },
    ]);
  });
});
