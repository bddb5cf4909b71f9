import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { HistoryList, ReceiptView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

interface Answer {
  readonly code?: string;
  readonly message?: string;
  readonly results?: readonly { readonly content: string }[];
}

describe('POST /search with as_of', () => {
  let api: ApiHarness;
  let sourceId: string;
  /** Records of the trail: the first publication, and the second. */
  let first: number;
  let second: number;

  beforeAll(async () => {
    api = await ApiHarness.start();
    const publication = async (generation: number, content: string) => {
      const options = { tenant: api.tenantA, name: 'Guide', generation };
      const id = await publish(api, [{ path: 'guide.md', content }], {
        ...options,
        ...(sourceId ? { sourceId } : {}),
      });
      sourceId = id;
      const url = `/sources/${id}/history?limit=1`;
      return (await api.call<HistoryList>('GET', url)).body.entries[0]?.seq ?? -1;
    };
    first = await publication(1, 'The harbor opens at seven in the morning.');
    await api.call('PUT', '/policy', { min_evidence_count: 0 });
    second = await publication(2, 'The harbor opens at nine in the morning.');
    await publish(api, [{ path: 'b.md', content: 'The harbor of tenant B opens at noon.' }], {
      tenant: api.tenantB,
    });
  });
  afterAll(() => api.stop());

  const search = async (moment: object, key = api.keyA) =>
    api.call<Answer>('POST', '/search', { query: 'harbor opens morning', ...moment }, { key });
  const texts = ({ body }: { readonly body: Answer }) =>
    (body.results ?? []).map(({ content }) => content);

  it('answers from the content and policy of that moment', async () => {
    const then = await search({ as_of_seq: first });
    expect([then.status, then.headers['x-as-of-seq']]).toEqual([200, String(first)]);
    expect(texts(then)).toEqual([expect.stringContaining('seven')]);
    expect(texts(await search({ as_of_seq: second }))).toEqual([expect.stringContaining('nine')]);
    expect(texts(await search({}))).toEqual([expect.stringContaining('nine')]);
    expect(texts(await search({ as_of_seq: 0 }))).toEqual([]);
    expect(texts(await search({ as_of_seq: 0 }, api.keyB))).toEqual([]);
  });

  it('leaves a receipt that names the moment and replays to the same answer', async () => {
    const then = await search({ as_of_seq: first });
    const id = String(then.headers['x-receipt-id']);
    const receipt = (await api.call<ReceiptView>('GET', `/receipts/${id}`)).body;
    expect(receipt).toMatchObject({ as_of_seq: first, as_of: expect.any(String) });
    expect(receipt.policy_revision).toBeNull();
    expect(receipt.live_generations).toEqual([expect.objectContaining({ generation: 1 })]);
    const replay = await api.call<Answer>('POST', `/receipts/${id}/replay`);
    expect(replay.headers['x-replay-matches']).toBe('true');
    expect(texts(replay)).toEqual(texts(then));
  });

  it('rejects moments whose generations are dropped, and names them', async () => {
    await api.append(api.tenantA, `generation-${sourceId}`, {
      type: 'GenerationDropped',
      data: { source_id: sourceId, generation: 1, reason: 'superseded' },
    });
    const { status, body, headers } = await search({ as_of_seq: first });
    expect([status, body.code]).toEqual([409, 'generation_dropped']);
    expect(JSON.stringify(body)).toContain('generation 1 of Guide');
    expect(headers['x-receipt-id']).toBeUndefined();
    expect(texts(await search({ as_of_seq: second }))).toEqual([expect.stringContaining('nine')]);
    const future = await search({ as_of: '2999-01-01T00:00:00Z' });
    expect([future.status, future.body.code]).toEqual([400, 'validation_failed']);
  });
});
