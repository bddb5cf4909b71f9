import { describe, expect, it } from '@jest/globals';

import type { HybridSearch, MultiHopSearch, QueryModels } from '#search';

import type { PastMoment } from '../search/past-moment.js';
import { Replays } from './replays.js';
import type { StoredReceipt } from './stored-receipts.js';

const past = { of: () => Promise.resolve({ sources: [] }) } as unknown as PastMoment;
const models = { has: () => true } as unknown as QueryModels;

function receiptWith(fields: { readonly retrieval_version?: number }): StoredReceipt {
  const receipt = { kind: 'rs', models: [], policy_revision: 0, live_at: null, ...fields };
  return { id: '', tenantId: '', at: 0, audiences: [], receipt } as unknown as StoredReceipt;
}

describe('replays', () => {
  it.each([
    [{}, 1],
    [{ retrieval_version: 2 }, 2],
    [{ retrieval_version: 3 }, 3],
  ])('of a receipt with %j search as version %i of the retrievers', async (fields, version) => {
    const replays = new Replays(past, models, {} as HybridSearch, {} as MultiHopSearch);
    const { retrievalVersion } = await replays.moment(receiptWith(fields));
    expect(retrievalVersion).toBe(version);
  });
});
