import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { SearchResponse } from '#contracts';
import type {
  GlobalPackageList,
  GlobalPackageView,
  JobView,
  PackageLinkList,
  PackageLinkView,
  PackageSearchResponseView,
  ReceiptView,
} from '#contracts/http/index';
import { sleep } from '#platform';
import { uniqueWord } from '#test/support/api/publish';
import { PackagesService } from '#test/support/packages-service';

describe('packages', () => {
  let service: PackagesService;
  /** Packages of this test alone, each with a word that nothing else has. */
  let serial = 0;
  beforeAll(async () => {
    service = await PackagesService.start({
      JOB_MAX_RETRIES: '1',
      CATALOGUE_REQUESTS_PER_MINUTE: '40',
    });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.packages.gate = Promise.resolve();
    service.packages.lookUpFails = null;
    service.packages.downloadFails = null;
  });

  function published(release: object = {}, name = `pkg-${(serial += 1)}`, version = '1.0.0') {
    const word = uniqueWord();
    const files = {
      'src/effects.ts': `/** Cleans up. */\nexport function ${word}(): void {}\n`,
      'README.md': '# A package\n\nReads and writes.\n',
    };
    service.packages.publish('npm', name, version, {
      files,
      description: `About ${name}`,
      ...release,
    });
    return { name, word, version };
  }
  const searched = (name: string, query: string, options: { tenant?: number; api?: number } = {}) =>
    service.search<PackageSearchResponseView>({ package_name: name, query }, options);
  const searchAll = (query: string, tenant = 0, more: object = {}) =>
    service.call<SearchResponse>('POST', '/search', { query, ...more }, { tenant });
  const add = (name: string, tenant = 0, version = '1.0.0') =>
    service.call<PackageLinkView>(
      'POST',
      '/packages/add',
      { ecosystem: 'npm', name, version },
      { tenant },
    );
  const links = async (tenant = 0) =>
    (await service.call<PackageLinkList>('GET', '/packages/my-packages', undefined, { tenant }))
      .body;
  const synced = (linkId: string, tenant = 0) =>
    service.until(
      async () =>
        (await links(tenant)).packages.find(
          (link) => link.link_id === linkId && link.status === 'synced',
        ),
      'the package',
    );

  describe('searched on demand', () => {
    it('are fetched and indexed by the first search, and by no other', async () => {
      const { name, word } = published();
      const cold = await searched(name, word);
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

    it('are downloaded once for twenty first searches through two APIs, and all twenty find it', async () => {
      const { name, word } = published();
      const open = Promise.withResolvers<void>();
      service.packages.gate = open.promise;
      const answers = Array.from({ length: 20 }, (_, at) =>
        searched(name, word, { tenant: at % 2, api: (at >> 1) % 2 }),
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
      const old = published();
      const now = published({}, old.name, '2.0.0');
      const before = service.packages.lookUps;
      expect((await searched(old.name, now.word)).body.package.version).toBe('2.0.0');
      expect((await searched(old.name, now.word)).body).toMatchObject({
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
      const { name, word } = published();
      expect((await searched(name, word)).status).toBe(200);
      service.packages.lookUpFails = 'registry_unavailable';
      expect((await searched(name, word)).body).toMatchObject({ cached: true, total_results: 1 });
      // This API never asked for it.
      const exact = { package_name: name, query: word, version: '1.0.0' };
      expect((await service.search(exact, { api: 1 })).body).toMatchObject({
        cached: true,
        total_results: 1,
      });
      expect((await searched(name, word, { api: 1 })).status).toBe(502);
    });

    it('say what is said against them', async () => {
      const { name, word } = published({ deprecated: 'use another' });
      expect((await searched(name, word)).body.warnings).toEqual([
        'Deprecated by its author: use another',
      ]);
    });

    it('answer without results where nothing is relevant, as every search does', async () => {
      const { name } = published();
      const { status, body } = await searched(name, 'zzqqxx');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ query: 'zzqqxx', suggestions: expect.any(Array) }),
      ]);
      expect(body).not.toHaveProperty('results');
    });

    it('are charged with a receipt that replays, and not where they fail', async () => {
      const { name, word } = published();
      const answer = await searched(name, word);
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
      await searched('no-such-package', word);
      expect((await service.events('QuotaConsumed')).length).toBe(charged);
    });

    it.each([
      ['no such package', 'package_not_found', 404],
      ['no such version', 'package_version_not_found', 404],
      ['a range', 'package_refused', 400],
      ['a registry that is away', 'registry_unavailable', 502],
      ['a registry that is slow', 'registry_timeout', 504],
    ] as const)('tell of %s', async (_, problem, status) => {
      service.packages.lookUpFails = problem;
      const answer = await searched(`unknown-${problem}`, 'x');
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
      const { name, word } = published();
      service.packages.downloadFails = problem;
      for (const api of [0, 1]) {
        const answer = await searched(name, word, { api });
        expect([answer.status, answer.body]).toEqual([
          status,
          expect.objectContaining({ code: problem }),
        ]);
      }
    });

    it('answer 504 when the time is up; the job goes on, and the next caller finds it', async () => {
      const { name, word } = published();
      const open = Promise.withResolvers<void>();
      service.packages.gate = open.promise;
      const waiting = searched(name, word);
      await sleep(500);
      service.elapsed = 60_000;
      const late = await waiting;
      service.elapsed = 0;
      expect([late.status, late.body]).toEqual([
        504,
        expect.objectContaining({ code: 'package_timeout' }),
      ]);
      open.resolve();
      const { status, body } = await searched(name, word);
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
      const { name, word } = published();
      const { body } = await searched(name, word);
      const [result] = body.results;
      expect((await searchAll(word)).body).not.toHaveProperty('results');
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

  describe('linked', () => {
    it('are linked once by racing requests, indexed, and found by the tenants that link them alone', async () => {
      const { name, word } = published();
      const raced = await Promise.all(Array.from({ length: 6 }, () => add(name)));
      expect(raced.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
      expect(new Set(raced.map(({ body }) => body.link_id)).size).toBe(1);
      const [{ body: link } = { body: undefined }] = raced;
      expect(link).toMatchObject({
        ecosystem: 'npm',
        name,
        version: '1.0.0',
        job_id: expect.any(String),
      });
      await synced(link?.link_id ?? '');
      const found = await searchAll(word);
      expect(
        found.body.results.map(({ citation }) => [citation.source_name, citation.path]),
      ).toEqual([[`NPM: ${name}`, `${name}/src/effects.ts`]]);
      expect((await searchAll(word, 1)).body).not.toHaveProperty('results');
      expect((await links(1)).packages.filter((other) => other.name === name)).toEqual([]);
      const source_ids = [found.body.results[0]?.citation.source_id];
      expect((await searchAll(word, 0, { source_ids })).body.total_results).toBe(1);
      expect((await searchAll(word, 1, { source_ids })).body).not.toHaveProperty('results');
      const multiHop = await service.call<SearchResponse>('POST', '/search/rmh', { query: word });
      expect(multiHop.body.results[0]?.citation.source_name).toBe(`NPM: ${name}`);
      const content = `/sources/${source_ids[0]}/content?path=${name}/README.md`;
      expect((await service.call('GET', content)).body).toMatchObject({
        content: '# A package\n\nReads and writes.',
      });
      expect((await service.call('GET', content, undefined, { tenant: 1 })).status).toBe(404);
      expect(service.packages.downloads.filter((key) => key.includes(`/${name}@`))).toHaveLength(1);
    });

    it('are indexed once for two tenants, of whom neither sees the other', async () => {
      const { name, word } = published();
      const [first, second] = [await add(name), await add(name, 1)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.package_id).toBe(first.body.package_id);
      expect(second.body.link_id).not.toBe(first.body.link_id);
      await synced(second.body.link_id, 1);
      for (const tenant of [0, 1])
        expect((await searchAll(word, tenant)).body.total_results).toBe(1);
      expect(
        (
          await service.call('DELETE', `/packages/my-packages/${first.body.link_id}`, undefined, {
            tenant: 1,
          })
        ).status,
      ).toBe(404);
      expect(
        (await service.call('DELETE', `/packages/my-packages/${first.body.link_id}`)).status,
      ).toBe(204);
      expect((await searchAll(word)).body).not.toHaveProperty('results');
      expect((await searchAll(word, 1)).body.total_results).toBe(1);
      expect(
        (await service.call('DELETE', `/packages/my-packages/${first.body.link_id}`)).status,
      ).toBe(404);
      expect((await add(name)).status).toBe(201);
      expect((await searchAll(word)).body.total_results).toBe(1);
      expect(service.packages.downloads.filter((key) => key.includes(`/${name}@`))).toHaveLength(1);
      const shared = await service.call<GlobalPackageView>(
        'GET',
        `/packages/global/${first.body.package_id}`,
      );
      for (const { tenantId } of service.tenants)
        expect(JSON.stringify(shared.body)).not.toContain(tenantId);
      const events = await service.events(
        'PackageRegistered',
        'PackageUsed',
        'SourceRegistered',
        'SourceSyncRequested',
      );
      const recorded = JSON.stringify(events.filter(({ tenant }) => tenant === 'public'));
      for (const { tenantId } of service.tenants) expect(recorded).not.toContain(tenantId);
    });

    it('count in the statistics of who links them, and in those of nobody else', async () => {
      const term = uniqueWord();
      const seen = published({ files: { 'a.md': `${term} once` } });
      const { body: own } = await add(seen.name);
      await synced(own.link_id);
      const score = async () => (await searchAll(term)).body.results.map((result) => result.score);
      const before = await score();
      const many = Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`f${at}.md`, `${term} ${at}`]),
      );
      const other = published({ files: many });
      const { body: theirs } = await add(other.name, 1);
      await synced(theirs.link_id, 1);
      expect(await score()).toEqual(before);
      const { body: mine } = await add(other.name);
      await synced(mine.link_id);
      expect(await score()).not.toEqual(before);
    });

    it('are in receipts as they were linked then', async () => {
      const { name, word } = published();
      const { body: link } = await add(name);
      await synced(link.link_id);
      const answer = await searchAll(word);
      const id = String(answer.headers['x-receipt-id']);
      await service.call('DELETE', `/packages/my-packages/${link.link_id}`);
      const replay = await service.call<SearchResponse>('POST', `/receipts/${id}/replay`);
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      expect(replay.body.results).toEqual(answer.body.results);
      const without = await searchAll(word);
      const { body } = await service.call<ReceiptView>(
        'GET',
        `/receipts/${String(without.headers['x-receipt-id'])}`,
      );
      expect(body.live_generations.map(({ source_name }) => source_name)).not.toContain(
        `NPM: ${name}`,
      );
    });

    it('show the job that indexes them to who links them', async () => {
      const { name } = published();
      const { body: link } = await add(name);
      const { body: job, status } = await service.call<JobView>('GET', `/jobs/${link.job_id}`);
      expect([status, job.id]).toEqual([200, link.job_id]);
      expect(
        (await service.call('GET', `/jobs/${link.job_id}`, undefined, { tenant: 1 })).status,
      ).toBe(404);
      expect((await service.call('POST', `/jobs/${link.job_id}/cancel`)).status).toBe(404);
      expect((await service.call<{ total: number }>('GET', '/jobs')).body.total).toBe(0);
    });

    it('say that they could not be indexed', async () => {
      const { name } = published();
      service.packages.downloadFails = 'package_too_large';
      const { body: link, status } = await add(name);
      expect(status).toBe(201);
      await service.until(
        async () =>
          (await links()).packages.some(
            (one) => one.link_id === link.link_id && one.status === 'error',
          ),
        'the failure',
      );
    });

    it('of a registry that is one tenant’s own are nobody else’s', async () => {
      const [a = { tenantId: '' }] = service.tenants;
      const { name, word } = published({ ownerTenantId: a.tenantId });
      const { body: link } = await add(name);
      await synced(link.link_id);
      expect((await searchAll(word)).body.total_results).toBe(1);
      expect((await searched(name, word)).body.total_results).toBe(1);
      expect((await searched(name, word, { tenant: 1 })).status).toBe(404);
      expect((await add(name, 1)).status).toBe(404);
      expect((await service.call('GET', `/packages/global/${link.package_id}`)).status).toBe(404);
    });
  });

  describe('in the catalogue', () => {
    it('are listed to everybody, by ecosystem and words, page by page', async () => {
      const [one, two] = [published(), published()];
      await searched(one.name, one.word);
      await searched(two.name, two.word);
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

describe('packages that nobody links', () => {
  it('are dropped when there are too many of them, and come back with the next search', async () => {
    let ahead = 0;
    const now = () => new Date(Date.now() + ahead);
    const service = await PackagesService.start(
      { PACKAGE_CACHE_CHUNKS: '2', PACKAGE_MAX_LINKS: '1' },
      now,
    );
    try {
      const files = (word: string) => ({
        'a.ts': `export const ${word} = 1;\n`,
        'b.md': `# About\n\n${word}\n`,
      });
      for (const name of ['linked', 'old', 'new'])
        service.packages.publish('npm', name, '1.0.0', { files: files(name) });
      const search = (name: string) =>
        service.search<PackageSearchResponseView>({
          package_name: name,
          query: name,
          version: '1.0.0',
        });
      const statuses = async () => {
        const { body } = await service.call<GlobalPackageList>('GET', '/packages/global');
        return Object.fromEntries(body.packages.map((one) => [one.name, one.status]));
      };
      const add = (name: string) =>
        service.call('POST', '/packages/add', { ecosystem: 'npm', name, version: '1.0.0' });
      expect([
        (await add('linked')).status,
        (await add('old')).status,
        (await add('linked')).status,
      ]).toEqual([...[201, 429, 200]]);
      const [result] = (await search('old')).body.results;
      ahead = 120_000;
      expect((await search('new')).body.total_results).toBeGreaterThan(0);
      await service.until(async () => (await statuses())['old'] === 'dropped', 'the drop');
      expect(await statuses()).toEqual({ linked: 'synced', old: 'dropped', new: 'synced' });
      await service.until(
        async () => (await service.events('GenerationDropped')).length > 0,
        'the content to go',
      );
      expect(await service.events('PackageDropped', 'SourceRemoved')).toMatchObject([
        { type: 'PackageDropped', data: { source_id: result?.citation.source_id, reason: 'room' } },
        { type: 'SourceRemoved', data: { source_id: result?.citation.source_id } },
      ]);
      expect((await search('linked')).body).toMatchObject({ cached: true });
      const again = (await search('old')).body;
      expect(again).toMatchObject({ cached: false, total_results: 2 });
      expect(again.results.map(({ content }) => content)).toContain(result?.content);
      expect(again.results[0]?.citation.source_id).not.toBe(result?.citation.source_id);
      expect(service.packages.downloads.filter((key) => key === 'npm/old@1.0.0')).toHaveLength(2);
    } finally {
      await service.stop();
    }
  });
});
