import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { NoEvidence, SearchResponse } from '#contracts';
import type { ReceiptView, SourceList } from '#contracts/http/index';
import type { SentenceEncoder } from '#models';
import { silentLogger } from '#platform';
import { Refiner } from '#search';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument } from '#test/support/api/publish';

const QUERY = 'how does the service stop overload of busy clients quickly';
const documents: readonly PublishedDocument[] = [
  { path: 'src/overload.ts', content: 'the service counts overload and stops busy clients' },
  { path: 'src/clients.ts', content: 'busy clients are listed here' },
  // No term of the query: only the encoder finds it.
  { path: 'src/throttle.ts', content: 'throttle(requests, bucket)' },
];

/** Embeds throttling and the query alike; a change of the query's vector shows in replays. */
class FakeEncoder implements SentenceEncoder {
  readonly id = 'fake-v1';
  readonly dimensions = 16;
  queries = 0;
  isAway = false;

  embedQuery(): Promise<Float32Array> {
    this.queries += 1;
    return this.isAway ? Promise.reject(new Error('away')) : Promise.resolve(along(0));
  }

  embedPassage({ content }: { readonly content: string }): Promise<Float32Array> {
    return Promise.resolve(along(content.includes('throttle') ? 0 : 1));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function along(dimension: number): Float32Array {
  return new Float32Array(16).fill(1, dimension, dimension + 1);
}

describe('search by sentence vectors', () => {
  const encoder = new FakeEncoder();
  let api: ApiHarness;
  let source: string;

  beforeAll(async () => {
    api = await ApiHarness.start({ sentenceEncoder: encoder });
    source = await publish(api, documents, { tenant: api.tenantA });
    await publish(api, documents, { tenant: api.tenantB });
  });
  afterAll(() => api.stop());

  const search = (query = QUERY, key = api.keyA, explain = false) =>
    api.call<SearchResponse & NoEvidence>('POST', '/search', { query, explain }, { key });
  const paths = ({ results }: SearchResponse) => results.map(({ citation }) => citation.path);
  const share = async (key = api.keyA) => {
    const { body } = await api.call<SourceList>('GET', '/sources', undefined, { key });
    return body.sources.map(({ refined_share }) => refined_share);
  };

  it('finds a passage in other words once its source is refined, and replays both answers', async () => {
    const before = await search();
    expect(paths(before.body)).not.toContain('src/throttle.ts');
    expect(await share()).toEqual([0]);

    const index = api.index;
    const refiner = new Refiner({
      index,
      encoder,
      logger: silentLogger,
      isBusy: () => false,
      isSearching: () => false,
    });
    refiner.start();
    while ((await share())[0] !== 1 || (await share(api.keyB))[0] !== 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await refiner.stop();

    const after = await search();
    expect(paths(after.body)).toContain('src/throttle.ts');
    expect(after.body.results[0]?.score).toBe(before.body.results[0]?.score);
    const scores = after.body.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(
      after.body.results.every(
        ({ citation, explanation }) => citation.source_id === source && !explanation,
      ),
    ).toBe(true);

    const asked = encoder.queries;
    encoder.isAway = true;
    for (const answer of [before, after]) {
      const id = String(answer.headers['x-receipt-id']);
      const replay = await api.call<SearchResponse>('POST', `/receipts/${id}/replay`, undefined, {
        key: api.keyA,
      });
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(paths(replay.body)).toEqual(paths(answer.body));
      const shown = await api.call<ReceiptView>('GET', `/receipts/${id}`, undefined, {
        key: api.keyA,
      });
      expect(JSON.stringify(shown.body)).not.toContain('fake-v1');
    }
    encoder.isAway = false;
    expect(encoder.queries).toBe(asked);
  });

  it('gives contributions that sum to the score', async () => {
    const { body } = await search(QUERY, api.keyB, true);
    for (const { score, explanation } of body.results) {
      const sum = explanation?.contributions.reduce((total, { value }) => total + value, 0);
      expect(sum).toBeCloseTo(score, 6);
    }
  });

  it('does not embed names', async () => {
    const asked = encoder.queries;
    await search('throttle');
    expect(encoder.queries).toBe(asked);
  });
});
