import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { NoEvidence, SearchResponse } from '#contracts';
import { searchEveryWay } from '#test/support/search-every-way';
import { SearchHarness } from '#test/support/search-harness';

const KINDS = ['Repository', 'Guide', 'Reference', 'Handbook'];

/** The interface's rules of search, each on GET, POST and multi-hop search alike. */
describe('search behavior', () => {
  let fixture: SearchHarness;

  beforeAll(async () => {
    fixture = await SearchHarness.start();
  }, 180_000);
  afterEach(async () => {
    await fixture.service.first.expect('POST', '/policy/reset');
  });
  afterAll(() => fixture.dispose());

  const search = (query: string, fields: object = {}): Promise<SearchResponse & NoEvidence> =>
    searchEveryWay(fixture.service.first, { query, ...fields });
  const setPolicy = (changes: object) => fixture.service.first.expect('PUT', '/policy', changes);
  const namesOf = ({ results }: SearchResponse) =>
    results.map(({ citation }) => citation.source_name).sort();
  const scoresOf = async (query: string): Promise<Record<string, number>> => {
    const { results } = await search(query);
    return Object.fromEntries(results.map(({ citation, score }) => [citation.source_name, score]));
  };

  describe('1: priorities by source type', () => {
    it('multiply the combined score, at once: 1.0, 0.8 and 1.2 by default, 1.0 for PDFs', async () => {
      const byDefault = await scoresOf('marmalade');
      expect(Object.keys(byDefault).sort()).toEqual([...KINDS].sort());
      await setPolicy({ source_priorities: { repo: 1, docs_html: 1, docs_openapi: 1 } });
      const neutral = await scoresOf('marmalade');
      await setPolicy({ source_priorities: { repo: 5, docs_html: 0.25, docs_openapi: 2.5 } });
      const weighed = await scoresOf('marmalade');
      for (const [kind, usual, set] of [
        ['Repository', 1, 5],
        ['Guide', 0.8, 0.25],
        ['Reference', 1.2, 2.5],
        ['Handbook', 1, 1],
      ] as const) {
        const combined = neutral[kind] ?? 0;
        expect(combined).toBeGreaterThan(0.2);
        expect(byDefault[kind]).toBeCloseTo(combined * usual, 9);
        expect(weighed[kind]).toBeCloseTo(combined * set, 9);
      }
      expect(weighed['Repository']).toBeGreaterThan(1);
    });

    it('order the results', async () => {
      for (const [field, name] of [
        ['repo', 'Repository'],
        ['docs_html', 'Guide'],
        ['docs_openapi', 'Reference'],
      ] as const) {
        await setPolicy({
          source_priorities: { repo: 0.5, docs_html: 0.5, docs_openapi: 0.5, [field]: 3 },
        });
        expect((await search('marmalade')).results[0]?.citation.source_name).toBe(name);
      }
    });

    it('of 0.0 remove the type', async () => {
      await setPolicy({ source_priorities: { docs_html: 0 } });
      expect(namesOf(await search('marmalade'))).toEqual(['Handbook', 'Reference', 'Repository']);
      await setPolicy({ source_priorities: { repo: 0, docs_html: 1 } });
      expect(namesOf(await search('marmalade'))).toEqual(['Guide', 'Handbook', 'Reference']);
      expect(await search('quince')).not.toHaveProperty('results');
    });
  });

  describe('2 and 3: staleness', () => {
    const stale = ['Ancient Notes', 'Old API Docs'];

    it('enforced: marks stale results and warns, naming budget and sources', async () => {
      const { results, warnings, staleness_summary, evidence_quality } = await search('sundial');
      expect(
        Object.fromEntries(
          results.map(({ citation, is_stale }) => [citation.source_name, is_stale]),
        ),
      ).toEqual({
        Orchard: false,
        'Old API Docs': true,
        'Ancient Notes': true,
      });
      expect(warnings).toEqual([
        'Results include sources stale beyond 30 day policy: Ancient Notes, Old API Docs',
      ]);
      expect(staleness_summary).toEqual({
        total_sources: 3,
        fresh_sources: 1,
        stale_sources: 2,
        staleness_budget_days: 30,
        stale_source_names: stale,
      });
      const ages = results
        .map(({ freshness_days }) => Math.round(freshness_days))
        .sort((a, b) => a - b);
      expect(ages).toEqual([0, 40, 90]);
      expect(evidence_quality.avg_freshness_days).toBeCloseTo(130 / 3, 1);
    });

    it('warns only of sources that have results', async () => {
      expect((await search('marmalade')).warnings).toEqual([]);
      expect((await search('trilobite')).warnings).toEqual([
        'Results include sources stale beyond 30 day policy: Ancient Notes',
      ]);
    });

    it('enforced, without include_stale: leaves stale results out', async () => {
      const { results, warnings, staleness_summary } = await search('sundial', {
        include_stale: false,
      });
      expect(results.map(({ citation }) => citation.source_name)).toEqual(['Orchard']);
      expect(warnings).toEqual([]);
      expect(staleness_summary).toMatchObject({
        total_sources: 1,
        stale_sources: 0,
        stale_source_names: [],
      });
      expect(await search('trilobite', { include_stale: false })).not.toHaveProperty('results');
    });

    it('not enforced: includes everything and warns of nothing', async () => {
      await setPolicy({ enforce_staleness: false });
      for (const include_stale of [true, false]) {
        const answer = await search('sundial', { include_stale });
        expect(namesOf(answer)).toEqual(['Ancient Notes', 'Old API Docs', 'Orchard']);
        expect(answer.warnings).toEqual([]);
      }
    });

    it('follows the budget at once', async () => {
      await setPolicy({ staleness_budget_seconds: 60 * 86_400 });
      const answer = await search('sundial');
      expect(answer.warnings).toEqual([
        'Results include sources stale beyond 60 day policy: Ancient Notes',
      ]);
      expect(answer.staleness_summary.staleness_budget_days).toBe(60);
      expect(namesOf(await search('sundial', { include_stale: false }))).toEqual([
        'Old API Docs',
        'Orchard',
      ]);
    });
  });

  describe('4: refusal', () => {
    it('is off by default, whatever the thresholds', async () => {
      await setPolicy({ min_evidence_count: 100, min_evidence_score: 1 });
      expect((await search('sundial')).total_results).toBe(3);
    });

    it('states the count against its threshold', async () => {
      await setPolicy({ enforce_refusal: true, min_evidence_count: 4, min_evidence_score: 0 });
      const answer = await search('sundial');
      expect(Object.keys(answer).sort()).toEqual([
        'message',
        'query',
        'sources_searched',
        'suggestions',
      ]);
      expect(answer).toMatchObject({ query: 'sundial', sources_searched: 11 });
      expect(answer.message).toMatch(/policy/);
      expect(answer.suggestions).toHaveLength(1);
      expect(answer.suggestions[0]).toMatch(/\b3\b.*\b4\b.*min_evidence_count.*PUT \/policy/);
    });

    it('states the score against its threshold', async () => {
      const top = (await search('sundial')).results[0]?.score ?? 0;
      await setPolicy({ enforce_refusal: true, min_evidence_count: 0, min_evidence_score: 0.99 });
      const { suggestions } = await search('sundial');
      expect(suggestions).toHaveLength(1);
      expect(suggestions[0]).toContain(top.toFixed(2));
      expect(suggestions[0]).toMatch(/0\.99.*min_evidence_score.*PUT \/policy/);
      await setPolicy({ min_evidence_count: 4 });
      expect((await search('sundial')).suggestions).toHaveLength(2);
    });

    it('does not touch what meets the thresholds, by default 1 result and a score of 0.3', async () => {
      await setPolicy({ enforce_refusal: true });
      expect((await search('sundial')).total_results).toBe(3);
      const weak =
        'how would anyone explain relativity with a noon train, mirrors, lightning, clocks, observers';
      expect((await search(weak)).suggestions[0]).toMatch(/0\.3\b/);
      await setPolicy({ min_evidence_count: 3, min_evidence_score: 0 });
      expect((await search('sundial')).total_results).toBe(3);
    });

    it('counts what is relevant before top_k and the budget, after staleness and priority', async () => {
      await setPolicy({ enforce_refusal: true, min_evidence_count: 3, min_evidence_score: 0 });
      expect((await search('sundial', { top_k: 1, max_tokens: 20 })).total_results).toBe(1);
      expect(await search('sundial', { include_stale: false })).not.toHaveProperty('results');
      await setPolicy({ source_priorities: { docs_html: 0, docs_openapi: 0 } });
      expect((await search('marmalade')).suggestions[0]).toMatch(/\b2\b.*\b3\b/);
    });

    it('compares the score after priority', async () => {
      await setPolicy({
        enforce_refusal: true,
        min_evidence_score: 0.95,
        source_priorities: { repo: 5 },
      });
      expect((await search('sundial')).results[0]?.score).toBeGreaterThan(0.95);
      await setPolicy({ source_priorities: { repo: 0.1 } });
      expect(await search('sundial')).not.toHaveProperty('results');
    });
  });

  describe('5: nothing relevant', () => {
    it('answers with the payload, also where vectors are faintly alike', async () => {
      for (const query of ['zebra xylophone', 'qqjjkk', '!!!']) {
        const answer = await search(query);
        expect(Object.keys(answer).sort()).toEqual([
          'message',
          'query',
          'sources_searched',
          'suggestions',
        ]);
        expect(answer).toMatchObject({ query, sources_searched: 11 });
        expect(answer.suggestions.length).toBeGreaterThan(0);
      }
    });

    it('finds without a common word what is close enough', async () => {
      const { results } = await search('trilobiteology');
      expect(results[0]?.content).toContain('trilobite');
    });
  });

  describe('conflicts', () => {
    it('are endpoints that the sources of the results describe differently', async () => {
      const answer = await search('marmosets');
      expect(answer.conflicts).toHaveLength(1);
      expect(answer.conflicts[0]).toMatchObject({
        endpoint_key: 'GET /pets',
        sources: ['Pets one', 'Pets two'],
        schema_hashes: ['aa', 'bb'],
      });
      expect(answer.conflicts[0]?.description).not.toBe('');
      expect(answer.evidence_quality.has_conflicts).toBe(true);
    });

    it('are absent where they agree, or one source alone answers', async () => {
      for (const answer of [
        await search('capybara'),
        await search('marmosets', { source_ids: [fixture.id('Pets one')] }),
      ]) {
        expect(answer.results.length).toBeGreaterThan(0);
        expect(answer.conflicts).toEqual([]);
        expect(answer.evidence_quality.has_conflicts).toBe(false);
      }
    });
  });
});
