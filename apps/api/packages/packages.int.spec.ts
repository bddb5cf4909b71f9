import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { SearchResponse } from '#contracts';
import type {
  GlobalPackageList,
  PackageSearchResponseView,
  ReceiptView,
} from '#contracts/http/index';
import { sleep } from '#platform';
import { PackageCalls } from '#test/support/package-calls';
import { PackagesService } from '#test/support/packages-service';
import { RerankEndpoint } from '#test/support/rerank-endpoint';

describe('packages', () => {
  let service: PackagesService;
  let calls: PackageCalls;
  let reranker: RerankEndpoint;
  beforeAll(async () => {
    reranker = await RerankEndpoint.start();
    service = await PackagesService.start({
      JOB_MAX_RETRIES: '1',
      CATALOGUE_REQUESTS_PER_MINUTE: '40',
      RERANK_BASE_URL: reranker.url,
      RERANK_MODEL: 'test-reranker',
    });
    calls = new PackageCalls(service);
  });
  afterAll(async () => {
    await service.stop();
    await reranker.close();
  });
  beforeEach(() => {
    service.packages.gate = Promise.resolve();
    service.packages.lookUpFails = null;
    service.packages.downloadFails = null;
  });

  describe('searched on demand', () => {
    it('are fetched and indexed by the first search, and by no other', async () => {
      const { name, word } = calls.published();
      const cold = await calls.searched(name, word);
      expect([cold.status, cold.body]).toEqual([
        200,
        {
          query: word,
          package: { ecosystem: 'npm', name, version: '1.0.0' },
          results: [
            {
              content: expect.stringContaining(word),
              score: expect.any(Number),
              token_count: expect.any(Number),
              citation: expect.objectContaining({
                source_name: `NPM: ${name}`,
                path: `${name}/src/effects.ts`,
                start_line: expect.any(Number),
                version_ref: '1.0.0',
                symbol: word,
              }),
            },
          ],
          total_results: 1,
          cached: false,
          search_time_ms: expect.any(Number),
        },
      ]);
      const warm = await service.call<PackageSearchResponseView>(
        'GET',
        `/packages/search?package_name=${name}&ecosystem=npm&query=${word}&top_k=1&version=1.0.0`,
        undefined,
        { tenant: 1, api: 1 },
      );
      expect(warm.status).toBe(200);
      expect({ ...warm.body, search_time_ms: 0 }).toEqual({
        ...cold.body,
        cached: true,
        search_time_ms: 0,
      });
      expect(service.packages.downloads.filter((key) => key.includes(`/${name}@`))).toHaveLength(1);
    });

    it('show a warning if a reranker fails', async () => {
      const { name, word } = calls.published();
      const query = `how does the package ${name} run effects of ${word} in order`;
      const { body: ordered } = await calls.searched(name, query);
      reranker.next.push({ kind: 'status', status: 400 });
      const { body: marked } = await calls.searched(name, query);
      expect(reranker.requests).toHaveLength(2);
      expect(ordered).not.toHaveProperty('warnings');
      expect(marked.warnings).toEqual([expect.stringContaining('The reranker gave no usable')]);
    });

    it('are downloaded once for twenty first searches through two APIs, and all twenty find it', async () => {
      const { name, word } = calls.published();
      const open = Promise.withResolvers<void>();
      service.packages.gate = open.promise;
      const answers = Array.from({ length: 20 }, (_, at) =>
        calls.searched(name, word, { tenant: at % 2, api: (at >> 1) % 2 }),
      );
      await sleep(300);
      open.resolve();
      for (const { status, body } of await Promise.all(answers)) {
        expect([status, body.results.map(({ citation }) => citation.path)]).toEqual([
          200,
          [`${name}/src/effects.ts`],
        ]);
      }
      expect(service.packages.downloads.filter((key) => key.includes(`/${name}@`))).toHaveLength(1);
      const [registered] = (await service.events('SourceRegistered')).filter(({ data }) =>
        JSON.stringify(data).includes(`"${name}"`),
      );
      const jobs = (await service.events('JobRequested')).filter(
        ({ data }) => data['source_id'] === registered?.data['source_id'],
      );
      expect(jobs).toHaveLength(1);
    });

    it('take the latest version unless one is named, and ask for it once in a while', async () => {
      const old = calls.published();
      const now = calls.published({}, old.name, '2.0.0');
      const before = service.packages.lookUps;
      expect((await calls.searched(old.name, now.word)).body.package.version).toBe('2.0.0');
      expect((await calls.searched(old.name, now.word)).body).toMatchObject({
        cached: true,
        total_results: 1,
      });
      expect(service.packages.lookUps).toBe(before + 1);
      const named = await service.search({
        package_name: old.name,
        query: old.word,
        version: '1.0.0',
      });
      expect(named.body).toMatchObject({
        package: { version: '1.0.0' },
        total_results: 1,
        cached: false,
      });
    });

    it('are searched while their registry is away, once they are known', async () => {
      const { name, word } = calls.published();
      expect((await calls.searched(name, word)).status).toBe(200);
      service.packages.lookUpFails = 'registry_unavailable';
      expect((await calls.searched(name, word)).body).toMatchObject({
        cached: true,
        total_results: 1,
      });
      // This API never asked for it.
      const exact = { package_name: name, query: word, version: '1.0.0' };
      expect((await service.search(exact, { api: 1 })).body).toMatchObject({
        cached: true,
        total_results: 1,
      });
      expect((await calls.searched(name, word, { api: 1 })).status).toBe(502);
    });

    it('say what is said against them', async () => {
      const { name, word } = calls.published({ deprecated: 'use another' });
      expect((await calls.searched(name, word)).body.warnings).toEqual([
        'Deprecated by its author: use another',
      ]);
    });

    it('answer without results where nothing is relevant, as every search does', async () => {
      const { name } = calls.published();
      const { status, body } = await calls.searched(name, 'zzqqxx');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ query: 'zzqqxx', suggestions: expect.any(Array) }),
      ]);
      expect(body).not.toHaveProperty('results');
    });

    it('are charged with a receipt that replays, and not where they fail', async () => {
      const { name, word } = calls.published();
      const answer = await calls.searched(name, word);
      const id = String(answer.headers['x-receipt-id']);
      const receipt = await service.call<ReceiptView>('GET', `/receipts/${id}`);
      expect(receipt.body).toMatchObject({
        query: word,
        live_generations: [{ source_name: `NPM: ${name}`, version_ref: '1.0.0', kept: true }],
      });
      const replay = await service.call<SearchResponse>('POST', `/receipts/${id}/replay`);
      expect(replay.headers['x-replay-matches']).toBe('true');
      expect(replay.body.results.map(({ content }) => content)).toEqual(
        answer.body.results.map(({ content }) => content),
      );
      const charged = (await service.events('QuotaConsumed')).length;
      await calls.searched('no-such-package', word);
      expect((await service.events('QuotaConsumed')).length).toBe(charged);
    });

    it.each([
      ['no such package', 'package_not_found', 404],
      ['no such version', 'package_version_not_found', 404],
      ['a range', 'package_refused', 400],
      ['a registry that is away', 'registry_unavailable', 502],
      ['a registry that is slow', 'registry_timeout', 504],
    ] as const)('report %s', async (_, problem, status) => {
      service.packages.lookUpFails = problem;
      const answer = await calls.searched(`unknown-${problem}`, 'x');
      expect([answer.status, answer.body]).toEqual([
        status,
        expect.objectContaining({ code: problem }),
      ]);
      const { total } = (
        await service.call<GlobalPackageList>('GET', '/packages/global?query=unknown')
      ).body;
      expect(total).toBe(0);
    });

    it.each([
      ['too large', 'package_too_large', 413],
      ['not what was promised', 'package_unreadable', 502],
      ['of a registry that went away', 'registry_unavailable', 502],
    ] as const)('report an archive that is %s to every caller', async (_, problem, status) => {
      const { name, word } = calls.published();
      service.packages.downloadFails = problem;
      for (const api of [0, 1]) {
        const answer = await calls.searched(name, word, { api });
        expect([answer.status, answer.body]).toEqual([
          status,
          expect.objectContaining({ code: problem }),
        ]);
      }
    });

    it('answer 504 when the time is up; the job goes on, and the next caller finds it', async () => {
      const { name, word } = calls.published();
      const open = Promise.withResolvers<void>();
      service.packages.gate = open.promise;
      const waiting = calls.searched(name, word);
      await sleep(500);
      service.elapsed = 60_000;
      const late = await waiting;
      service.elapsed = 0;
      expect([late.status, late.body]).toEqual([
        504,
        expect.objectContaining({ code: 'package_timeout' }),
      ]);
      open.resolve();
      const { status, body } = await calls.searched(name, word);
      expect([status, body.total_results]).toEqual([200, 1]);
      expect(service.packages.downloads.filter((key) => key.includes(`/${name}@`))).toHaveLength(1);
    });

    it.each([
      [{ package_name: 'a', query: 'q'.repeat(501) }, 'query'],
      [{ package_name: 'a', query: 'q', top_k: 51 }, 'top_k'],
      [{ package_name: 'a', query: 'q', top_k: 0 }, 'top_k'],
      [{ package_name: 'a', query: 'q', ecosystem: 'gem' }, 'ecosystem'],
      [{ query: 'q' }, 'package_name'],
      [{ package_name: 'a' }, 'query'],
      [{ package_name: 'a', query: 'q', audience: 'linked' }, 'audience'],
    ])('refuse a wrong field, case %#', async (body, field) => {
      const { status, body: error } = await service.search<{ details: { field: string }[] }>(body);
      expect([status, error.details.map((problem) => problem.field)]).toEqual([400, [field]]);
    });

    it('are in no other search, and none of their rows in any list of a tenant', async () => {
      const { name, word } = calls.published();
      const { body } = await calls.searched(name, word);
      const [result] = body.results;
      expect((await calls.searchAll(word)).body).not.toHaveProperty('results');
      const source = result?.citation.source_id;
      for (const url of [
        `/sources/${source}`,
        `/sources/${source}/content?path=${result?.citation.path}`,
      ]) {
        expect((await service.call('GET', url)).status).toBe(404);
      }
      const jobs = (await service.events('JobRequested')).filter(
        ({ data }) => data['source_id'] === source,
      );
      expect((await service.call('GET', `/jobs/${String(jobs[0]?.data['job_id'])}`)).status).toBe(
        404,
      );
      expect((await service.call('GET', '/jobs')).body['total']).toBe(0);
    });
  });

  describe('in the catalogue', () => {
    it('are listed to everybody, by ecosystem and words, page by page', async () => {
      const [one, two] = [calls.published(), calls.published()];
      await calls.searched(one.name, one.word);
      await calls.searched(two.name, two.word);
      const list = async (query: string) =>
        (
          await service.call<GlobalPackageList>('GET', `/packages/global?${query}`, undefined, {
            key: null,
          })
        ).body;
      // A search answers from the index; the catalogue counts the chunks when its read model has
      // followed.
      await service.until(
        async () =>
          (await list('limit=2')).packages.every(
            ({ status, chunk_count }) => status === 'synced' && chunk_count > 0,
          ),
        'the two newest packages with their chunks',
      );
      const found = await list(`query=ABOUT%20${one.name}&ecosystem=npm`);
      expect([found.total, found.packages]).toEqual([
        1,
        [
          {
            package_id: expect.any(String),
            ecosystem: 'npm',
            name: one.name,
            version: '1.0.0',
            description: `About ${one.name}`,
            homepage: 'https://example.com/home',
            license: 'MIT',
            status: 'synced',
            file_count: 2,
            chunk_count: expect.any(Number),
            indexed_at: expect.any(String),
            notices: [],
            created_at: expect.any(String),
            updated_at: expect.any(String),
          },
        ],
      ]);
      const [newest] = (await list('limit=1')).packages;
      expect(newest?.name).toBe(two.name);
      expect((await list('skip=1&limit=1')).packages[0]?.name).toBe(one.name);
      expect((await list('ecosystem=pypi')).packages).toEqual([]);
      expect((await list('query=%25')).total).toBe(0);
      const single = await service.call(
        'GET',
        `/packages/global/${newest?.package_id}`,
        undefined,
        { key: null },
      );
      expect(single.body).toEqual(newest);
      for (const id of ['nonsense', '0190b5e4-7b1d-7000-8000-000000000001']) {
        const { status, body } = await service.call('GET', `/packages/global/${id}`, undefined, {
          key: null,
        });
        expect([status, body['code']]).toEqual([404, 'package_not_found']);
      }
    });

    it('are not for who asks without end', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 45; count += 1) {
        const { status } = await service.call('GET', '/packages/global?limit=1', undefined, {
          api: 1,
          key: null,
        });
        statuses.push(status);
      }
      expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
      expect(statuses.at(-1)).toBe(429);
    });
  });
});
