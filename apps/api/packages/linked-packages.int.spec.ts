import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { SearchResponse } from '#contracts';
import type {
  GlobalPackageList,
  GlobalPackageView,
  JobView,
  PackageSearchResponseView,
  ReceiptView,
} from '#contracts/http/index';
import { uniqueWord } from '#test/support/api/publish';
import { PackageCalls } from '#test/support/package-calls';
import { PackagesService } from '#test/support/packages-service';

describe('linked packages', () => {
  let service: PackagesService;
  let calls: PackageCalls;
  beforeAll(async () => {
    service = await PackagesService.start({ JOB_MAX_RETRIES: '1' });
    calls = new PackageCalls(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.packages.gate = Promise.resolve();
    service.packages.lookUpFails = null;
    service.packages.downloadFails = null;
  });

  it('are linked once by racing requests, indexed, and found by the tenants that link them alone', async () => {
    const { name, word } = calls.published();
    const raced = await Promise.all(Array.from({ length: 6 }, () => calls.add(name)));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(raced.map(({ body }) => body.link_id)).size).toBe(1);
    const [{ body: link } = { body: undefined }] = raced;
    expect(link).toMatchObject({
      ecosystem: 'npm',
      name,
      version: '1.0.0',
      job_id: expect.any(String),
    });
    await calls.synced(link?.link_id ?? '');
    const found = await calls.searchAll(word);
    expect(found.body.results.map(({ citation }) => [citation.source_name, citation.path])).toEqual(
      [[`NPM: ${name}`, `${name}/src/effects.ts`]],
    );
    expect((await calls.searchAll(word, 1)).body).not.toHaveProperty('results');
    expect((await calls.links(1)).packages.filter((other) => other.name === name)).toEqual([]);
    const source_ids = [found.body.results[0]?.citation.source_id];
    expect((await calls.searchAll(word, 0, { source_ids })).body.total_results).toBe(1);
    expect((await calls.searchAll(word, 1, { source_ids })).body).not.toHaveProperty('results');
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
    const { name, word } = calls.published();
    const [first, second] = [await calls.add(name), await calls.add(name, 1)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.package_id).toBe(first.body.package_id);
    expect(second.body.link_id).not.toBe(first.body.link_id);
    await calls.synced(second.body.link_id, 1);
    for (const tenant of [0, 1])
      expect((await calls.searchAll(word, tenant)).body.total_results).toBe(1);
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
    expect((await calls.searchAll(word)).body).not.toHaveProperty('results');
    expect((await calls.searchAll(word, 1)).body.total_results).toBe(1);
    expect(
      (await service.call('DELETE', `/packages/my-packages/${first.body.link_id}`)).status,
    ).toBe(404);
    expect((await calls.add(name)).status).toBe(201);
    expect((await calls.searchAll(word)).body.total_results).toBe(1);
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
    const seen = calls.published({ files: { 'a.md': `${term} once` } });
    const { body: own } = await calls.add(seen.name);
    await calls.synced(own.link_id);
    const score = async () =>
      (await calls.searchAll(term)).body.results.map((result) => result.score);
    const before = await score();
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`f${at}.md`, `${term} ${at}`]),
    );
    const other = calls.published({ files: many });
    const { body: theirs } = await calls.add(other.name, 1);
    await calls.synced(theirs.link_id, 1);
    expect(await score()).toEqual(before);
    const { body: mine } = await calls.add(other.name);
    await calls.synced(mine.link_id);
    expect(await score()).not.toEqual(before);
  });

  it('are in receipts as they were linked then', async () => {
    const { name, word } = calls.published();
    const { body: link } = await calls.add(name);
    await calls.synced(link.link_id);
    const answer = await calls.searchAll(word);
    const id = String(answer.headers['x-receipt-id']);
    await service.call('DELETE', `/packages/my-packages/${link.link_id}`);
    const replay = await service.call<SearchResponse>('POST', `/receipts/${id}/replay`);
    expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
    expect(replay.body.results).toEqual(answer.body.results);
    const without = await calls.searchAll(word);
    const { body } = await service.call<ReceiptView>(
      'GET',
      `/receipts/${String(without.headers['x-receipt-id'])}`,
    );
    expect(body.live_generations.map(({ source_name }) => source_name)).not.toContain(
      `NPM: ${name}`,
    );
  });

  it('show the job that indexes them to who links them', async () => {
    const { name } = calls.published();
    const { body: link } = await calls.add(name);
    const { body: job, status } = await service.call<JobView>('GET', `/jobs/${link.job_id}`);
    expect([status, job.id]).toEqual([200, link.job_id]);
    expect(
      (await service.call('GET', `/jobs/${link.job_id}`, undefined, { tenant: 1 })).status,
    ).toBe(404);
    expect((await service.call('POST', `/jobs/${link.job_id}/cancel`)).status).toBe(404);
    expect((await service.call<{ total: number }>('GET', '/jobs')).body.total).toBe(0);
  });

  it('say that they could not be indexed', async () => {
    const { name } = calls.published();
    service.packages.downloadFails = 'package_too_large';
    const { body: link, status } = await calls.add(name);
    expect(status).toBe(201);
    await service.until(
      async () =>
        (await calls.links()).packages.some(
          (one) => one.link_id === link.link_id && one.status === 'error',
        ),
      'the failure',
    );
  });

  it('of a registry that is one tenant’s own are nobody else’s', async () => {
    const [a = { tenantId: '' }] = service.tenants;
    const { name, word } = calls.published({ ownerTenantId: a.tenantId });
    const { body: link } = await calls.add(name);
    await calls.synced(link.link_id);
    expect((await calls.searchAll(word)).body.total_results).toBe(1);
    expect((await calls.searched(name, word)).body.total_results).toBe(1);
    expect((await calls.searched(name, word, { tenant: 1 })).status).toBe(404);
    expect((await calls.add(name, 1)).status).toBe(404);
    expect((await service.call('GET', `/packages/global/${link.package_id}`)).status).toBe(404);
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
