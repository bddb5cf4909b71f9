import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { FootnoteError, type NoEvidence, type SearchResponse } from '#contracts';
import type { ReceiptView } from '#contracts/http/index';
import type { ContentGapView } from '#read-model';
import type { CandidateQuery, LiveSource } from '#search-index';
import { type ApiAnswer, ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';

const MESSAGE =
  'Content of this source is missing: the manifest of generation 1. Sync the source to rebuild it.';
const LOST = 'Content of "Lost" is missing; sync it to search it again';
const INDEXED =
  'Content of "Lost" is missing and only the search index still has it; sync it to build it again';

type Body = SearchResponse & NoEvidence & { readonly code: string; readonly error: string };

describe('a source whose content is missing', () => {
  let api: ApiHarness;
  let kept: string;
  let lost: string;
  let before: ApiAnswer<Body>;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await publish(api, [{ path: 'theirs.py', content: 'def marmoset(): return 3' }], {
      tenant: api.tenantB,
    });
  });
  beforeEach(async () => {
    const { tenantA: tenant } = api;
    kept = await publish(api, [{ path: 'kept.py', content: 'def marmoset(): return 1' }], {
      tenant,
      name: 'Kept',
    });
    lost = await publish(api, [{ path: 'lost.py', content: 'def marmoset(): return 2' }], {
      tenant,
      name: 'Lost',
    });
    before = await search();
  });
  /** Removes these sources and the replaced answers of the engines before the next test. */
  afterEach(async () => {
    for (const name of ['candidates', 'ranked', 'document'])
      Reflect.deleteProperty(api.index, name);
    Reflect.deleteProperty(api.readModel, 'asOf');
    for (const source_id of [kept, lost]) {
      await api.append(api.tenantA, `source-${source_id}`, {
        type: 'SourceRemoved',
        data: { source_id },
      });
    }
  });
  afterAll(() => api.stop());

  const search = (body: object = {}, path = '/search', key?: string) =>
    api.call<Body>('POST', path, { query: 'marmoset', ...body }, key === undefined ? {} : { key });
  const sources = ({ body }: ApiAnswer<Body>) =>
    (body.results ?? []).map(({ citation }) => citation.source_id).sort();

  function gap(searchable: boolean): ContentGapView {
    return { tenant_id: api.tenantA, source_id: lost, generation: 1, searchable, message: MESSAGE };
  }

  /**
   * As after a start with neither blobs nor index: the index refuses whatever names the generation.
   */
  async function loseContent(gaps = [gap(false)]): Promise<void> {
    await api.index.dropGeneration(api.tenantA, lost, 1);
    const refuse = (named: readonly LiveSource[]) => {
      if (!named.some(({ sourceId }) => sourceId === lost)) return;
      throw new FootnoteError(
        'engine_unavailable',
        'The search index is still loading this content.',
      );
    };
    const candidates = api.index.candidates.bind(api.index);
    const ranked = api.index.ranked.bind(api.index);
    const document = api.index.document.bind(api.index);
    api.index.candidates = async (query: CandidateQuery) => {
      refuse([...query.scope, ...query.corpus]);
      return candidates(query);
    };
    api.index.ranked = async (query, ranking) => {
      refuse([...query.scope, ...query.corpus]);
      return ranked(query, ranking);
    };
    api.index.document = async (source, path) => {
      refuse([source]);
      return document(source, path);
    };
    await api.setGaps(gaps);
  }

  it.each(['/search', '/search/rmh'])(
    'is named in the warnings of %s, and the others answer',
    async (path) => {
      await loseContent();
      const answer = await search({}, path);
      expect([answer.status, sources(answer), answer.body.warnings]).toEqual([200, [kept], [LOST]]);
      expect(answer.body.sources_searched).toBe(1);
    },
  );

  it('is named to those alone who search it', async () => {
    await loseContent();
    expect((await search({ source_ids: [kept] })).body.warnings).toEqual([]);
    const theirs = await search({}, '/search', api.keyB);
    expect([theirs.body.total_results, theirs.body.warnings]).toEqual([1, []]);
  });

  it('is the first suggestion where nothing else is searched', async () => {
    await loseContent();
    const { status, body } = await search({ source_ids: [lost] });
    expect([status, body.suggestions[0], body.sources_searched]).toEqual([200, LOST, 0]);
  });

  it('is left out of a search that met it before this process knew of it', async () => {
    await loseContent([]);
    expect(await search()).toMatchObject({ status: 503, body: { code: 'engine_unavailable' } });
    const quietly = [gap(false)];
    Object.assign(api.readModel, { asOf: async () => ({ rows: quietly, position: null }) });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const answer = await search();
    expect([answer.status, answer.body.warnings]).toEqual([200, [LOST]]);
  });

  it('keeps nobody waiting: the service is ready, and not ready while something is still loading', async () => {
    const ready = () =>
      api.call<{ checks: { name: string }[] }>('GET', '/health/ready', undefined, { key: null });
    // Answers of engines are cached for a second.
    const readyWith = async (status: number) => {
      for (let tries = 0; ; tries += 1) {
        const answer = await ready();
        if (answer.status === status || tries === 60) return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await loseContent([]);
    const loading = await readyWith(503);
    expect(loading.status).toBe(503);
    expect(loading.body.checks).toContainEqual({
      name: 'search_index',
      ok: false,
      detail: 'loading: 1 sources',
    });
    await api.setGaps([gap(false)]);
    const answer = await readyWith(200);
    expect(answer.status).toBe(200);
    expect(answer.body.checks).toContainEqual({
      name: 'search_index',
      ok: true,
      detail: 'content of 1 sources is missing',
    });
  });

  it('says what is missing when lines of it are asked for', async () => {
    await loseContent();
    const answer = await api.call('GET', `/sources/${lost}/content?path=lost.py`);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'content_missing', error: MESSAGE },
    });
    expect((await api.call('GET', `/sources/${kept}/content?path=kept.py`)).status).toBe(200);
  });

  it('answers with a warning while the index still has it', async () => {
    await api.setGaps([gap(true)]);
    const answer = await search();
    expect([answer.status, sources(answer), answer.body.warnings]).toEqual([
      200,
      [kept, lost].sort(),
      [INDEXED],
    ]);
    expect((await api.call('GET', `/sources/${lost}/content?path=lost.py`)).status).toBe(200);
  });

  it('cannot be replayed, neither as it was before nor as it was answered without it', async () => {
    await loseContent();
    const without = await search();
    for (const [answer, incomplete, error] of [
      [before, false, 'Content of generation 1 of Lost is missing; the search cannot be replayed'],
      [without, true, 'Content was missing when this was searched; it cannot be replayed'],
    ] as const) {
      const id = String(answer.headers['x-receipt-id']);
      const replayed = await api.call('POST', `/receipts/${id}/replay`);
      expect(replayed).toMatchObject({ status: 409, body: { code: 'content_missing', error } });
      expect((await api.call<ReceiptView>('GET', `/receipts/${id}`)).body.incomplete).toBe(
        incomplete,
      );
    }
  });
});
