import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { FootnoteError, type RecordedEvent, type SearchResponse } from '#contracts';
import type { QuotaUsageView, ReceiptView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const LONG = `${'a line about persimmons\n'.repeat(30)}the end`;

describe('the receipt of a search', () => {
  let api: ApiHarness;
  let source: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    source = await publish(
      api,
      [
        { path: 'a.py', content: 'def tamarind(): return 1', defs: ['tamarind'] },
        { path: 'b.py', content: 'tamarind and more tamarind' },
        { path: 'long.md', content: LONG, tokenCount: 150 },
      ],
      { tenant: api.tenantA },
    );
    await publish(api, [{ path: 'theirs.py', content: 'tamarind' }], { tenant: api.tenantB });
  });
  afterEach(() => void Reflect.deleteProperty(api.index, 'contents'));
  afterAll(() => api.stop());

  const search = (query: string, body: object = {}) =>
    api.call<SearchResponse>('POST', '/search', { query, ...body });

  async function charges(tenant = api.tenantA): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of api.store.read(`quota-${tenant}-search`)) events.push(event);
    return events;
  }

  async function used(key?: string): Promise<readonly number[]> {
    const { body } = await api.call<QuotaUsageView>(
      'GET',
      '/quota/usage',
      undefined,
      key === undefined ? {} : { key },
    );
    return body.usage.filter(({ metric }) => metric === 'search').map((usage) => usage.used);
  }

  /** Makes the index wait before it reads texts. Returns what began to wait, and what ends that. */
  function holdTexts() {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const contents = api.index.contents.bind(api.index);
    api.index.contents = async (...args) => {
      asked.resolve();
      await held.promise;
      return contents(...args);
    };
    return { asked: asked.promise, release: held.resolve, fail: held.reject };
  }

  /** Resolves once a charge more is stored. */
  async function nextCharge(before: number): Promise<RecordedEvent> {
    for (let tries = 0; tries < 500; tries += 1) {
      const event = (await charges())[before];
      if (event) return event;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('No charge was stored');
  }

  it.each([
    ['words', 'more tamarind'],
    ['a name, whose definition is shown alone', 'tamarind'],
  ])('is stored while the texts are read: %s', async (_, query) => {
    const before = (await charges()).length;
    const texts = holdTexts();
    const answer = search(query);
    const stored = await nextCharge(before);
    texts.release();
    const { status, headers, body } = await answer;
    expect([status, headers['x-receipt-id']]).toEqual([200, stored.id]);
    const receipt = await api.call<ReceiptView>('GET', `/receipts/${stored.id}`);
    expect(receipt.body.results.map(({ chunk_id, score }) => [chunk_id, score])).toEqual(
      body.results.map(({ citation, score }) => [citation.chunk_id, Math.round(score * 1e6) / 1e6]),
    );
    expect(receipt.body.results.length).toBeGreaterThan(1);
    expect((await charges()).length).toBe(before + 1);
  });

  it('is stored after the texts where they decide what fits the budget', async () => {
    const before = (await charges()).length;
    const texts = holdTexts();
    const answer = search('persimmons', { max_tokens: 40, source_ids: [source] });
    await texts.asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await charges()).length).toBe(before);
    texts.release();
    expect((await answer).body.results).toHaveLength(1);
    expect((await charges()).length).toBe(before + 1);
  });

  it('is followed by the return of its charge if the texts cannot be read', async () => {
    const before = await charges();
    const counted = await used();
    const theirs = [await used(api.keyB), (await charges(api.tenantB)).length];
    const texts = holdTexts();
    const answer = search('more tamarind');
    const stored = await nextCharge(before.length);
    texts.fail(new FootnoteError('engine_unavailable', 'The texts are gone'));
    expect(await answer).toMatchObject({ status: 503, body: { code: 'engine_unavailable' } });
    const [, returned, ...more] = (await charges()).slice(before.length);
    expect([returned?.type, returned?.data]).toEqual([
      'QuotaReturned',
      { metric: 'search', amount: 1, consumption_id: stored.id },
    ]);
    expect(more).toEqual([]);
    expect(await used()).toEqual(counted);
    expect([await used(api.keyB), (await charges(api.tenantB)).length]).toEqual(theirs);
  });
});
