import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MultiHopResponse } from '#contracts';
import type { SourceView } from '#test/support/api-client';
import type { TestRepository } from '#test/support/git-repository';
import { thisRepository } from '#test/support/this-repository';
import { TwoTenantService } from '#test/support/two-tenants';

/** Fifty questions of the kinds people ask: names, phrases, paths, half sentences. */
const QUERIES = [
  ...[
    'handleCommand',
    'FsBlobStore',
    'rank',
    'defineEvent',
    'uuidv5',
    'loadConfig',
    'JobStageAdvanced',
    'weighTerms',
  ],
  ...[
    'EventStore',
    'quantize',
    'SearchIndex',
    'StageFailure',
    'progressWithin',
    'ProgressBar',
    'analyzeQuery',
    'sleep',
  ],
  ...[
    'where is the configuration read',
    'how are event ids derived',
    'retry a failed stage',
    'lease of a worker',
  ],
  ...[
    'hash chain of the log',
    'read model checkpoint',
    'optimistic concurrency conflict',
    'wrong expected revision',
  ],
  ...[
    'how does the ranker score candidates',
    'token budget of an answer',
    'stale sources warning',
    'evidence quality',
  ],
  ...[
    'path priors for tests',
    'split identifiers into terms',
    'stop words',
    'int8 vectors and cosine similarity',
  ],
  ...[
    'BM25 length normalization',
    'clone a git repository without checkout',
    'glob pattern matcher',
    'tree-sitter grammar',
  ],
  ...[
    'chunk a markdown file by headings',
    'skip generated files',
    'idempotency key',
    'API key digest',
    'request id header',
  ],
  ...['validation error shape', 'graceful shutdown', 'backup and restore', 'tenant isolation'],
  ...['dependency rules', 'Apache License', 'how to contribute', 'package.json scripts'],
  'what happens when two syncs of one source start at once',
];

const CANARY = 'zebrafinchquarrel';

describe('main job: index a real repository and search it with citations', () => {
  let service: TwoTenantService;
  let repository: TestRepository;
  let source: SourceView;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    repository = thisRepository(`${service.scratch}/this`);
    source = await service.first.createRepo('Footnote', repository.url);
    await service.first.syncToEnd(source.id, 120_000);
  }, 180_000);
  afterAll(() => service.dispose());

  it('cites lines that are, at the cited commit, the returned content byte for byte, for every result of 50 queries', async () => {
    expect(QUERIES).toHaveLength(50);
    const head = repository.git('rev-parse', 'main').trim();
    let compared = 0;
    for (const query of QUERIES) {
      const { results = [] } = await service.first.search(query);
      for (const { content, citation } of results) {
        expect(citation.version_ref).toBe(head);
        const lines = repository.lines(head, citation.path, citation.start_line, citation.end_line);
        expect({ query, path: citation.path, content }).toEqual({
          query,
          path: citation.path,
          content: lines,
        });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(300);
  });

  it('cites the lines next to a hit and the lines of a hop exactly', async () => {
    const head = repository.git('rev-parse', 'main').trim();
    const totals = { neighbors_added: 0, merged_chunk_count: 0, secondary: 0 };
    for (const query of QUERIES.slice(0, 12)) {
      const answer = await service.first.expect<MultiHopResponse>('POST', '/search/rmh', {
        query,
        max_tokens: 8_000,
      });
      const { results, rmh, total_tokens, total_results } = answer;
      expect(total_tokens).toBeLessThanOrEqual(8_000);
      expect(total_results).toBe(results.length);
      for (const { content, citation } of results) {
        const lines = repository.lines(
          head,
          citation.path,
          citation.start_line ?? 0,
          citation.end_line ?? 0,
        );
        expect({ query, path: citation.path, content }).toEqual({
          query,
          path: citation.path,
          content: lines,
        });
      }
      const shown = new Set<string>();
      for (const { citation } of results) {
        for (let line = citation.start_line ?? 0; line <= (citation.end_line ?? -1); line += 1) {
          expect(shown.has(`${citation.path}:${line}`)).toBe(false);
          shown.add(`${citation.path}:${line}`);
        }
      }
      totals.neighbors_added += rmh.neighbors_added;
      totals.merged_chunk_count += rmh.merged_chunk_count;
      totals.secondary += Number(rmh.secondary_search_ran);
    }
    expect(totals.neighbors_added).toBeGreaterThan(12);
    expect(totals.merged_chunk_count).toBeGreaterThan(0);
    expect(totals.secondary).toBeGreaterThan(6);
    const foreign = await service.second.call<object>('POST', '/search/rmh', {
      query: 'EventStore',
    });
    expect(foreign.body).not.toHaveProperty('results');
  });

  it('shows the source as synced with its counts', async () => {
    const shown = await service.first.expect<SourceView>('GET', `/sources/${source.id}`);
    expect(shown).toMatchObject({
      status: 'synced',
      version_ref: repository.git('rev-parse', 'main').trim(),
    });
    expect(shown.file_count).toBeGreaterThan(100);
    expect(shown.chunk_count).toBeGreaterThan(200);
  });

  it('finds a definition by its name', async () => {
    const { results = [] } = await service.first.search('defineEvent');
    expect(results[0]?.citation.path).toBe('libs/contracts/events/define-event.ts');
  });

  it('completes with zeros when nothing changed', async () => {
    const job = await service.first.syncToEnd(source.id);
    expect(job).toMatchObject({
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
      progress_percent: 100,
    });
  });

  it('rewrites only the chunks of the file that changed', async () => {
    const before = await service.first.expect<SourceView>('GET', `/sources/${source.id}`);
    repository.git('checkout', '--quiet', '--force', 'main');
    const commit = repository.commit({
      'docs/canary.md': `# Canary\n\nA note on the ${CANARY} of this test.\n`,
    });
    const job = await service.first.syncToEnd(source.id);
    expect(job).toMatchObject({ chunks_created: 1, chunks_updated: 0, chunks_deleted: 0 });
    const { results = [] } = await service.first.search(CANARY);
    expect(results[0]?.citation).toMatchObject({
      path: 'docs/canary.md',
      version_ref: commit,
      start_line: 1,
      end_line: 3,
    });
    const after = await service.first.expect<SourceView>('GET', `/sources/${source.id}`);
    expect(after.chunk_count).toBe(before.chunk_count + 1);
  });

  it('shows a second tenant nothing of the first, by any id', async () => {
    const other = service.second;
    const { body } = await other.call<{ results?: unknown }>('POST', '/search', { query: CANARY });
    expect(body).not.toHaveProperty('results');
    const own = await other.expect<{ total: number }>('GET', '/sources');
    expect(own.total).toBe(0);
    const unknown = await other.call('GET', '/sources/0190b5e4-7b1d-7000-8000-000000000000');
    for (const [method, path] of [
      ['GET', `/sources/${source.id}`],
      ['PATCH', `/sources/${source.id}`],
      ['DELETE', `/sources/${source.id}`],
      ['POST', `/sources/${source.id}/sync`],
      ['GET', `/sources/${source.id}/content?path=README.md`],
    ] as const) {
      const answer = await other.call<{ code: string }>(
        method,
        path,
        method === 'PATCH' ? { name: 'Mine' } : undefined,
      );
      expect([path, answer.status, answer.body.code]).toEqual([
        path,
        unknown.status,
        'source_not_found',
      ]);
    }
    const narrowed = await other.call<{ results?: unknown }>('POST', '/search', {
      query: CANARY,
      source_ids: [source.id],
    });
    expect(narrowed.body).not.toHaveProperty('results');
  });

  it('answers with the lines around a citation', async () => {
    const head = repository.git('rev-parse', 'main').trim();
    const content = await service.first.expect<{ content: string }>(
      'GET',
      `/sources/${source.id}/content?path=package.json&start_line=1&end_line=3`,
    );
    expect(content.content).toBe(repository.lines(head, 'package.json', 1, 3));
  });

  it('returns nothing of a deleted source', async () => {
    expect((await service.first.call('DELETE', `/sources/${source.id}`)).status).toBe(204);
    const answer = await service.first.search(CANARY);
    expect(answer).not.toHaveProperty('results');
    expect((await service.first.call('GET', `/sources/${source.id}`)).status).toBe(404);
  });
});
