import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { PolicySimulationView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { publish } from '#test/support/api/publish';

describe('POST /policy/simulate', () => {
  let api: ApiHarness;
  let receipt: string;
  let droppedSource: string;
  beforeAll(async () => {
    api = await ApiHarness.start();
    const document = (content: string) => [{ path: 'guide.md', content }];
    await publish(api, document('The harbor opens at seven in the morning.'), {
      tenant: api.tenantA,
      name: 'Repository',
    });
    const docs = { source_type: 'docs' as const, docs_format: 'html' as const };
    droppedSource = await publish(api, document('The harbor opens for ferries in the morning.'), {
      tenant: api.tenantA,
      name: 'Docs',
      definition: docs,
    });
    await keysUsed(api);
    const query = { query: 'harbor opens morning' };
    const { headers } = await api.call('POST', '/search', query);
    receipt = String(headers['x-receipt-id']);
    await api.call('POST', '/search', { query: 'zzzz unknown' });
    await api.call('POST', '/search', query, { key: api.keyB });
  });
  afterAll(() => api.stop());

  const simulate = async (body: object, key = api.keyA) => {
    const answer = await api.call<PolicySimulationView>('POST', '/policy/simulate', body, { key });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };

  it('changes nothing where the policy is the current one', async () => {
    expect(await simulate({ policy: {} })).toEqual({
      changes: [],
      simulated: 2,
      refused: 0,
      answered: 0,
      dropped: 0,
      added: 0,
      reordered: 0,
      unchanged: 2,
      skipped: [],
      complete: true,
      examples: [],
    });
    expect((await simulate({ policy: {}, last: 1 })).simulated).toBe(1);
    expect((await simulate({ policy: {} }, api.keyB)).simulated).toBe(1);
  });

  it('counts refused searches and searches that lose results, with examples', async () => {
    const strict = await simulate({ policy: { enforce_refusal: true, min_evidence_count: 50 } });
    expect(strict).toMatchObject({ refused: 1, unchanged: 1 });
    expect(strict.examples).toEqual([
      expect.objectContaining({ receipt_id: receipt, effects: ['refused'], results_after: 0 }),
    ]);
    expect(strict.changes.map(({ field }) => field)).toEqual([
      'enforce_refusal',
      'min_evidence_count',
    ]);
    const withoutRepositories = await simulate({ policy: { source_priorities: { repo: 0 } } });
    expect(withoutRepositories).toMatchObject({ dropped: 1, refused: 0 });
  });

  it('charges nothing, leaves no receipt and changes no policy', async () => {
    const usage = async () => {
      const { body } = await api.call<{ usage: { metric: string; used: number }[] }>(
        'GET',
        '/quota/usage',
      );
      return body.usage.filter(({ metric }) => metric === 'search').map(({ used }) => used);
    };
    const before = [await usage(), await api.eventCount(), (await api.call('GET', '/policy')).body];
    await simulate({ policy: { enforce_refusal: true, min_evidence_count: 50 } });
    expect([
      await usage(),
      await api.eventCount(),
      (await api.call('GET', '/policy')).body,
    ]).toEqual(before);
  });

  it('rejects more than 200 searches and settings out of range', async () => {
    for (const body of [{ policy: {}, last: 201 }, { policy: { min_evidence_count: 101 } }, {}]) {
      const { status } = await api.call('POST', '/policy/simulate', body);
      expect([body, status]).toEqual([body, 400]);
    }
    await simulate({ policy: {}, last: 200 });
  });

  it('counts searches whose content is dropped as skipped', async () => {
    await api.append(api.tenantA, `generation-${droppedSource}`, {
      type: 'GenerationDropped',
      data: { source_id: droppedSource, generation: 1, reason: 'superseded' },
    });
    expect(await simulate({ policy: {} })).toMatchObject({
      simulated: 0,
      skipped: [{ code: 'generation_dropped', count: 2 }],
    });
  });
});
