import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  eventDefinition,
  MOST_AUDIENCES,
  MOST_RESULTS,
  MOST_TOP_K,
  type QuotaEvent,
  RECEIPT_EVENT_BYTES,
} from '#contracts';
import { quotaDecider } from '#domain';
import { FsKeyRing, uuidv7 } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { dividedReceipt, type OpenReceipt, roomFor } from './receipt-event.js';
import { openRequest, sealRequest, type TypedRequest } from './sealed-request.js';

const tenantId = 'tenant';
const boundTo = 'quota-tenant-search/1';

/**
 * As big as a receipt can be: every hit of a source of its own, every score with all its decimals.
 */
const biggest: OpenReceipt = {
  kind: 'rmh',
  parameters: {
    max_tokens: 32_000,
    top_k: 50,
    include_stale: false,
    max_rounds: 3,
    neighbor_line_radius: 500,
    expand_neighbors: false,
    secondary_search: false,
  },
  policy_revision: 1_000_000,
  live_at: '0'.repeat(20),
  audiences: Array.from({ length: MOST_AUDIENCES }, () => ({
    kind: 'linked',
    package_id: uuidv7(),
  })),
  conversation_id: uuidv7(),
  links_at: '0'.repeat(20),
  models: ['hash-ngram-v1', 'openai-compatible/text-embedding-3-large@3072'],
  outcome: 'no_evidence',
  sources: Array.from({ length: MOST_TOP_K }, () => [uuidv7(), 100_000, 4.123457]),
  results: Array.from({ length: MOST_RESULTS }, (_, at) => [
    ...([uuidv7(), at % MOST_TOP_K, 0.123457, 0.123457, 0.123457, 4.123457] as const),
  ]),
};

const requests: readonly (readonly [string, TypedRequest])[] = [
  ['a short query', { query: 'where is it' }],
  ['two thousand ideographs', { query: '検'.repeat(2_000) }],
  ['two thousand quotes', { query: '"'.repeat(2_000) }],
  ['astral characters', { query: '😀'.repeat(1_000) }],
  [
    'every filter at its bound',
    {
      query: 'q'.repeat(2_000),
      source_ids: Array.from({ length: 1_000 }, () => uuidv7()),
      path_patterns: Array.from({ length: 50 }, () => '検'.repeat(256)),
      languages: Array.from({ length: 50 }, () => 'p'.repeat(50)),
    },
  ],
];

describe('the sealed part of a receipt', () => {
  const folder = tempDir();
  let keyRing: FsKeyRing;
  beforeAll(async () => {
    keyRing = await FsKeyRing.open(folder.path);
  });
  afterAll(() => folder.remove());

  it.each(requests)(
    'holds %s in events of at most 8 KiB, together with the largest receipt',
    async (_, request) => {
      const { first: open, rest: continuedResults } = dividedReceipt(biggest);
      const { first, rest } = await sealRequest(
        keyRing,
        { tenantId, boundTo },
        request,
        roomFor(open),
      );
      const receipt = { ...open, request: first, request_parts: rest.length };
      const parts = { receipt, continued: rest, continuedResults };
      const data = { metric: 'search' as const, amount: 1, at: 0, limits: [], ...parts };
      const events: readonly QuotaEvent[] = quotaDecider.decide(
        { type: 'ConsumeQuota', data },
        quotaDecider.initial,
      );
      for (const event of events) {
        expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThanOrEqual(
          RECEIPT_EVENT_BYTES,
        );
        expect(eventDefinition(event.type)?.schema.safeParse(event.data).success).toBe(true);
      }
      expect([open.results, ...continuedResults].flat()).toEqual(biggest.results);
      expect(open.result_parts).toBe(continuedResults.length);
      const sealed = [first ?? '', ...rest];
      expect(await openRequest(keyRing, { tenantId, boundTo }, sealed)).toEqual(request);
    },
  );

  it('puts a short query into the receipt itself', async () => {
    const { rest } = await sealRequest(
      keyRing,
      { tenantId, boundTo },
      { query: 'where is it' },
      roomFor(dividedReceipt(biggest).first),
    );
    expect(rest).toEqual([]);
  });

  it('does not open under another event, or with its parts changed round', async () => {
    const { first, rest } = await sealRequest(
      keyRing,
      { tenantId, boundTo },
      { query: 'q'.repeat(2_000) },
      1_000,
    );
    const parts = [first ?? '', ...rest];
    expect(parts).toHaveLength(2);
    await expect(
      openRequest(keyRing, { tenantId, boundTo: `${boundTo}2` }, parts),
    ).rejects.toThrow();
    await expect(
      openRequest(keyRing, { tenantId, boundTo }, [...parts].reverse()),
    ).rejects.toThrow();
  });

  it('is not written at all, and cannot be read, once the key is destroyed', async () => {
    const other = { tenantId: 'gone', boundTo };
    const { first, rest } = await sealRequest(keyRing, other, { query: 'forget me' }, 1_000);
    await keyRing.destroy('gone');
    expect(await openRequest(keyRing, other, [first ?? '', ...rest])).toBeNull();
    expect(await sealRequest(keyRing, other, { query: 'forget me' }, 1_000)).toEqual({
      first: null,
      rest: [],
    });
  });
});
