import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  MOST_PASSAGES,
  MOST_RESULTS,
  MOST_TOP_K,
  type MultiHopResponse,
  RECEIPT_EVENT_BYTES,
  type RecordedEvent,
  type StreamName,
} from '#contracts';
import type { ReceiptView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { httpOf } from '#test/support/api/http-client';
import { publish, type PublishedDocument } from '#test/support/api/publish';

/** Files that say the word of the query, each with many chunks next to it that no line joins. */
const FILES = 60;
const CHUNKS = 30;
const DOCUMENTS = Array.from({ length: FILES }, (_, file): PublishedDocument[] =>
  Array.from({ length: CHUNKS }, (_, ordinal) => ({
    path: `src/file${file}.py`,
    ordinal,
    startLine: 1 + ordinal * 5,
    content: ordinal === 0 ? `# pomegranate ${file}` : `v${ordinal} = ${file}`,
    tokenCount: 5,
  })),
).flat();
/** More passages on one subject, in few files, than an answer in words may rest on. */
const PASSAGES = Array.from({ length: 10 }, (_, file): PublishedDocument[] =>
  Array.from({ length: 12 }, (_, ordinal) => ({
    path: `docs/quince${file}.py`,
    ordinal,
    startLine: 1 + ordinal * 5,
    content: `# A quince ripens in month ${ordinal} of year ${file}.`,
  })),
).flat();
const LARGEST = { max_tokens: 32_000, top_k: MOST_TOP_K };

describe('the largest answers that the API accepts', () => {
  let api: ApiHarness;
  let agent: Awaited<ReturnType<typeof httpOf>>;
  beforeAll(async () => {
    api = await ApiHarness.start();
    agent = await httpOf(api);
    await publish(api, DOCUMENTS, { tenant: api.tenantA });
    await publish(api, PASSAGES, { tenant: api.tenantA, name: 'Quinces' });
  });
  afterAll(() => api.stop());

  async function eventsOf(stream: StreamName): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of api.store.read(stream)) events.push(event);
    return events;
  }

  async function expectStored(stream: StreamName, receiptId: string): Promise<void> {
    const events = await eventsOf(stream);
    expect(events.map(({ id }) => id)).toContain(receiptId);
    for (const { data } of events) {
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(RECEIPT_EVENT_BYTES);
    }
  }

  it.each([
    ['post', '/search', LARGEST],
    ['get', `/search?query=pomegranate&top_k=${MOST_TOP_K}&max_tokens=32000`, undefined],
  ] as const)('%s %s returns every result that was asked for', async (method, path, body) => {
    const sent = agent[method](path);
    const answer = await (body ? sent.send({ query: 'pomegranate', ...body }) : sent);
    expect(answer.status).toBe(200);
    expect((answer.body as MultiHopResponse).results).toHaveLength(MOST_TOP_K);
    await expectStored(`quota-${api.tenantA}-search`, answer.headers['x-receipt-id'] ?? '');
  });

  it.each([
    ['20 hits', { max_tokens: 32_000, top_k: 20 }],
    [`${MOST_TOP_K} hits`, LARGEST],
  ])(
    'a multi-hop search around %s returns, receipts and replays more results than hits',
    async (_, asked) => {
      const body = { query: 'pomegranate', ...asked, max_rounds: 3, neighbor_line_radius: 500 };
      const answer = await agent.post('/search/rmh').send(body);
      expect(answer.status).toBe(200);
      const { results, rmh } = answer.body as MultiHopResponse;
      expect(results).toHaveLength(MOST_RESULTS);
      expect(rmh.neighbors_added).toBe(MOST_RESULTS - asked.top_k);
      const receiptId = answer.headers['x-receipt-id'] ?? '';
      await expectStored(`quota-${api.tenantA}-search`, receiptId);
      const receipt = await agent.get(`/receipts/${receiptId}`);
      const chunks = (receipt.body as ReceiptView).results.map(({ chunk_id }) => chunk_id);
      expect(chunks).toEqual(results.map(({ citation }) => citation.chunk_id));
      expect((receipt.body as ReceiptView).query).toBe('pomegranate');
      const replay = await agent.post(`/receipts/${receiptId}/replay`);
      expect(replay.status).toBe(200);
      expect(replay.headers['x-replay-matches']).toBe('true');
    },
  );

  it('a chat rests on no more passages than its receipt holds', async () => {
    const body = { query: 'when does a quince ripen', top_k: 10, max_context_tokens: 32_000 };
    const answer = await agent.post('/chat').send(body);
    expect(answer.status).toBe(200);
    const receiptId = (answer.body as { receipt_id: string }).receipt_id;
    const receipt = await agent.get(`/receipts/${receiptId}`);
    expect(receipt.status).toBe(200);
    const { length } = (receipt.body as ReceiptView).results;
    expect(length).toBeGreaterThan(10);
    expect(length).toBeLessThanOrEqual(MOST_PASSAGES);
    await expectStored(`quota-${api.tenantA}-chat`, receiptId);
  });
});
