import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MultiHopResponse, NoEvidence, SearchResponse } from '#contracts';
import {
  searchByGet,
  searchByPost,
  searchByRmh,
  searchEveryWay,
} from '#test/support/search-every-way';
import { QUINCES, SearchHarness } from '#test/support/search-harness';

interface Problem {
  readonly code: string;
}

/**
 * Defaults, bounds and effects of what a search may ask, on GET, POST and multi-hop search alike.
 */
describe('search parameters', () => {
  let fixture: SearchHarness;

  beforeAll(async () => {
    fixture = await SearchHarness.start();
  }, 180_000);
  afterAll(() => fixture.dispose());

  const search = (query: string, fields: object = {}): Promise<SearchResponse & NoEvidence> =>
    searchEveryWay(fixture.service.first, { query, ...fields });
  const namesOf = ({ results }: SearchResponse) =>
    results.map(({ citation }) => citation.source_name).sort();
  const pathsOf = ({ results }: SearchResponse) =>
    results.map(({ citation }) => citation.path).sort();
  const rmh = (fields: object) =>
    fixture.service.first.call<MultiHopResponse & Problem>('POST', '/search/rmh', {
      query: 'basket7',
      ...fields,
    });

  /** Expects each of the three ways to refuse the fields. */
  const refusal = async (fields: Readonly<Record<string, unknown>>): Promise<void> => {
    for (const ask of [searchByPost, searchByGet, searchByRmh]) {
      const { status, body } = await ask<Problem>(fixture.service.first, {
        query: 'quince',
        ...fields,
      });
      expect([ask.name, fields, status, body.code]).toEqual([
        ask.name,
        fields,
        400,
        'validation_failed',
      ]);
    }
  };

  it('query: 1 to 2,000 characters, not blank', async () => {
    expect(await search('q'.repeat(2000))).not.toHaveProperty('results');
    for (const query of ['', '   ', 'q'.repeat(2001)]) await refusal({ query });
    for (const path of ['/search', '/search/rmh']) {
      expect((await fixture.service.first.call('POST', path, { top_k: 3 })).status).toBe(400);
    }
    expect((await fixture.service.first.call('GET', '/search?top_k=3')).status).toBe(400);
  });

  it('top_k: 10 by default, 1 to 50', async () => {
    expect((await search('quince')).total_results).toBe(10);
    expect((await search('quince', { top_k: 1 })).total_results).toBe(1);
    expect(QUINCES).toBeGreaterThan(50);
    const most = await search('quince', { top_k: 50 });
    expect([most.total_results, most.results.length, most.evidence_quality.evidence_count]).toEqual(
      [50, 50, 50],
    );
    for (const top_k of [0, -1, 51, 1.5, 'ten']) await refusal({ top_k });
  });

  it('max_tokens: 4,000 by default, 1 to 32,000, taken in rank order while they fit', async () => {
    const top_k = 20;
    const all = await search('medlar', { top_k, max_tokens: 32_000 });
    expect(all.total_tokens).toBeGreaterThan(4000);
    for (const [fields, budget] of [
      [{}, 4000],
      [{ max_tokens: 1500 }, 1500],
    ] as const) {
      const some = await search('medlar', { top_k, ...fields });
      expect(some.results.map(({ content }) => content)).toEqual(
        all.results.slice(0, some.total_results).map(({ content }) => content),
      );
      const next = all.results[some.total_results]?.token_count ?? 0;
      expect(some.total_tokens).toBe(
        some.results.reduce((sum, { token_count }) => sum + token_count, 0),
      );
      expect(some.total_tokens).toBeLessThanOrEqual(budget);
      expect(some.total_tokens + next).toBeGreaterThan(budget);
    }
    for (const max_tokens of [0, 32_001, 10.5, 'many']) await refusal({ max_tokens });
  });

  it('max_tokens: cuts the first result at a line when it alone is too big', async () => {
    const whole = (await search('medlar', { top_k: 1 })).results[0];
    const { results, total_tokens } = await search('medlar', { top_k: 1, max_tokens: 60 });
    const [cut] = results;
    expect(results).toHaveLength(1);
    expect([total_tokens <= 60, total_tokens > 20]).toEqual([true, true]);
    const lines = cut?.content.split('\n') ?? [];
    expect(lines).toEqual(whole?.content.split('\n').slice(0, lines.length));
    expect(cut?.citation.end_line).toBe((cut?.citation.start_line ?? 0) + lines.length - 1);
    expect(cut?.citation.end_line).toBeLessThan(whole?.citation.end_line ?? 0);
  });

  it('include_stale: true by default, true or false alone', async () => {
    expect(namesOf(await search('sundial'))).toEqual(
      namesOf(await search('sundial', { include_stale: true })),
    );
    expect(namesOf(await search('sundial', { include_stale: false }))).toEqual(['Orchard']);
    for (const include_stale of ['yes', 1, '']) await refusal({ include_stale });
  });

  it('source_ids: those sources alone; unknown ones and those of others are ignored', async () => {
    const [guide, reference] = [fixture.id('Guide'), fixture.id('Reference')];
    const two = await search('marmalade', { source_ids: [guide, reference] });
    expect([namesOf(two), two.sources_searched]).toEqual([['Guide', 'Reference'], 2]);
    const one = await search('marmalade', { source_ids: [guide, randomUUID()] });
    expect([namesOf(one), one.sources_searched]).toEqual([['Guide'], 1]);
    const none = await search('marmalade', { source_ids: [randomUUID()] });
    expect(none).not.toHaveProperty('results');
    expect(none.sources_searched).toBe(0);
    const foreign = await searchEveryWay(fixture.service.second, {
      query: 'marmalade',
      source_ids: [guide],
    });
    expect(foreign).toEqual(none);
    await refusal({ source_ids: ['Guide'] });
    const many = Array.from({ length: 1001 }, () => guide);
    for (const ask of [searchByPost, searchByRmh]) {
      expect((await ask(fixture.service.first, { query: 'quince', source_ids: many })).status).toBe(
        400,
      );
    }
  });

  it('source_ids: a source that was never synced has no results', async () => {
    const { id } = await fixture.service.first.createRepo(
      'Unsynced',
      'https://example.com/never.git',
    );
    expect(await search('marmalade', { source_ids: [id] })).not.toHaveProperty('results');
  });

  it('path_patterns: globs, any of which a path must match', async () => {
    expect(pathsOf(await search('espalier'))).toEqual(['lib/pruning.ts', 'src/pruning.py']);
    expect(pathsOf(await search('espalier', { path_patterns: ['lib/**'] }))).toEqual([
      'lib/pruning.ts',
    ]);
    expect(pathsOf(await search('espalier', { path_patterns: ['**/*.py', 'nothing/*'] }))).toEqual([
      'src/pruning.py',
    ]);
    expect(pathsOf(await search('espalier', { path_patterns: ['**/*.{py,ts}'] }))).toHaveLength(2);
    expect(await search('espalier', { path_patterns: ['docs/**'] })).not.toHaveProperty('results');
    await refusal({ path_patterns: ['[a-z]*'] });
    await refusal({ path_patterns: Array.from({ length: 51 }, () => 'src/**') });
  });

  it('languages: any of them, in any case', async () => {
    expect(pathsOf(await search('espalier', { languages: ['Python'] }))).toEqual([
      'src/pruning.py',
    ]);
    expect(pathsOf(await search('espalier', { languages: ['python', 'typescript'] }))).toHaveLength(
      2,
    );
    expect(await search('espalier', { languages: ['rust'] })).not.toHaveProperty('results');
    await refusal({ languages: Array.from({ length: 51 }, () => 'python') });
  });

  it('refuses what it does not know', async () => {
    await refusal({ limit: 3 });
    await refusal({ tenant_id: randomUUID() });
    const { status } = await searchByGet(fixture.service.first, { query: 'quince', max_rounds: 2 });
    expect(status).toBe(400);
    expect(
      (await searchByPost(fixture.service.first, { query: 'quince', max_rounds: 2 })).status,
    ).toBe(400);
  });

  it('shows equal content once, and overlapping lines of a file once', async () => {
    const twice = { source_ids: [fixture.id('Twice')] };
    expect((await search('turnip song', twice)).results.map(({ content }) => content)).toEqual([
      'the turnip song',
    ]);
    const { results } = await search('parsnip', twice);
    const spans = results.map(({ citation }) => [citation.start_line, citation.end_line]).sort();
    expect(spans).toHaveLength(2);
    expect(spans).toContainEqual([9, 9]);
  });

  it('multi-hop: 2 rounds within 80 lines by default, with neighbors and a second search', async () => {
    const { status, body } = await rmh({});
    expect(status).toBe(200);
    expect(body.rmh).toMatchObject({ rounds_executed: 2, secondary_search_ran: true });
    const stated = {
      max_rounds: 2,
      neighbor_line_radius: 80,
      expand_neighbors: true,
      secondary_search: true,
    };
    const again = await rmh(stated);
    expect([again.body.rmh, pathsOf(again.body)]).toEqual([body.rmh, pathsOf(body)]);
    const kumquat = { query: 'kumquat', top_k: 10, max_rounds: 1 };
    expect((await rmh(kumquat)).body.rmh).toMatchObject({ neighbors_added: 1 });
    expect((await rmh({ ...kumquat, neighbor_line_radius: 79 })).body.rmh).toMatchObject({
      neighbors_added: 0,
    });
    expect((await rmh({ ...kumquat, neighbor_line_radius: 81 })).body.rmh).toMatchObject({
      neighbors_added: 2,
    });
    expect((await rmh({ ...kumquat, expand_neighbors: false })).body.rmh).toMatchObject({
      neighbors_added: 0,
    });
    for (const fields of [{ max_rounds: 1 }, { secondary_search: false }]) {
      const { body: alone } = await rmh(fields);
      expect(alone.rmh).toMatchObject({ rounds_executed: 1, secondary_search_ran: false });
    }
  });

  it('multi-hop: bounds of its own fields', async () => {
    for (const fields of [
      { max_rounds: 3, neighbor_line_radius: 500 },
      { max_rounds: 1, neighbor_line_radius: 0 },
    ]) {
      expect((await rmh(fields)).status).toBe(200);
    }
    for (const fields of [
      ...[
        { max_rounds: 0 },
        { max_rounds: 4 },
        { neighbor_line_radius: -1 },
        { neighbor_line_radius: 501 },
      ],
      ...[{ expand_neighbors: 'yes' }, { secondary_search: 1 }],
    ]) {
      const { status, body } = await rmh(fields);
      expect([fields, status, body.code]).toEqual([fields, 400, 'validation_failed']);
    }
  });
});
