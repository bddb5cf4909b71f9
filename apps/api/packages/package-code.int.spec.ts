import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  CodeSearchResponseView,
  ErrorView,
  PackageCodeSearchView,
  PackageFileView,
  PackageTreeView,
} from '#contracts/http/index';
import { uniqueWord } from '#test/support/api/publish';
import { PackageCalls } from '#test/support/package-calls';
import { PackagesService } from '#test/support/packages-service';

/** Leaves stale sources out. */
const STALE = '&include_stale=false';

describe('the code of one release', () => {
  let service: PackagesService;
  let calls: PackageCalls;
  /** Milliseconds by which the clocks of the service are ahead. */
  let aheadMs = 0;
  beforeAll(async () => {
    const now = () => new Date(Date.now() + aheadMs);
    service = await PackagesService.start({ JOB_MAX_RETRIES: '1' }, now);
    calls = new PackageCalls(service);
  });
  afterAll(() => service.stop());

  /** Publishes a package with two files that have a word of their own. */
  function published(release: object = {}, version = '1.0.0', of?: string) {
    const needle = uniqueWord();
    const files = {
      'src/cart.ts': `export const ${needle} = 1;\n\n// ${needle}, too\n`,
      'src/till/pay.ts': `export const pay = ${needle};\n`,
      'README.md': '# Carts\n',
    };
    return { ...calls.published({ files, ...release }, of, version), needle };
  }

  type Options = Parameters<PackagesService['call']>[3];
  const get = <View>(route: string, name: string, query: string, options: Options = {}) =>
    service.call<View & ErrorView>(
      'GET',
      `/packages/${route}?ecosystem=npm&package_name=${name}&${query}`,
      undefined,
      options,
    );
  const find = (name: string, query: string, options?: Options) =>
    get<PackageCodeSearchView>('search/code', name, query, options);
  const post = (body: object, options?: Options) =>
    service.call<PackageCodeSearchView & ErrorView>(
      'POST',
      '/packages/search/code',
      { ecosystem: 'npm', ...body },
      options,
    );
  const linesOf = ({ files }: Pick<CodeSearchResponseView, 'files'>) =>
    files.flatMap(({ path, lines }) => lines.map(({ number }) => `${path}:${number}`));
  const charges = async () => (await service.events('QuotaConsumed')).length;

  describe('is searched exactly', () => {
    it('after it was indexed, charged and receipted as a search that replays equal', async () => {
      const { name, needle } = published({ deprecated: 'use another one' });
      const { status, body, headers } = await find(name, `pattern=${needle}&word=true`);
      expect(status).toBe(200);
      expect(linesOf(body)).toEqual([
        `${name}/src/cart.ts:1`,
        `${name}/src/cart.ts:3`,
        `${name}/src/till/pay.ts:1`,
      ]);
      expect(body).toMatchObject({
        package: { ecosystem: 'npm', name, version: '1.0.0' },
        cached: false,
        complete: true,
        sources_searched: 1,
        warnings: [expect.stringContaining('use another one')],
      });
      expect(body.files[0]).toMatchObject({ source_name: `NPM: ${name}`, version_ref: '1.0.0' });
      const id = String(headers['x-receipt-id']);
      const replay = await service.call<CodeSearchResponseView>('POST', `/receipts/${id}/replay`);
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      expect(replay.body.files).toEqual(body.files);
      const receipt = await service.call('GET', `/receipts/${id}`);
      expect(receipt.body).toMatchObject({ kind: 'code' });
      const theirs = await service.call('GET', `/receipts/${id}`, undefined, { tenant: 1 });
      expect(theirs.status).toBe(404);
    });

    it('in the version that the request names, else in the newest', async () => {
      const old = published();
      const latest = published({}, '2.0.0', old.name);
      expect((await find(old.name, `pattern=${latest.needle}`)).body).toMatchObject({
        count: 3,
        package: { version: '2.0.0' },
      });
      const named = await post({
        package_name: old.name,
        version: '1.0.0',
        pattern: old.needle,
        limit: 2,
        context_lines: 1,
      });
      expect(named.body).toMatchObject({ count: 2, complete: false, incomplete_reason: 'limit' });
      const next = await post({
        package_name: old.name,
        version: '1.0.0',
        pattern: old.needle,
        cursor: named.body.next_cursor,
      });
      expect(linesOf(next.body)).toEqual([`${old.name}/src/till/pay.ts:1`]);
      const foreign = await post({
        package_name: old.name,
        pattern: old.needle,
        cursor: named.body.next_cursor,
      });
      expect(foreign.body.code).toBe('validation_failed');
    });

    it('by a query and by filters', async () => {
      const { name, needle } = published();
      const query = encodeURIComponent(`${needle} file:till -lang:markdown`);
      expect(linesOf((await find(name, `query=${query}`)).body)).toEqual([
        `${name}/src/till/pay.ts:1`,
      ]);
      const expression = { pattern: `${needle.slice(0, 5)}\\w+ = \\d`, regex: true };
      expect(linesOf((await post({ package_name: name, ...expression })).body)).toEqual([
        `${name}/src/cart.ts:1`,
      ]);
      const filtered = {
        pattern: needle,
        path_patterns: ['**/till/**'],
        languages: ['typescript'],
      };
      expect((await post({ package_name: name, ...filtered })).body.count).toBe(1);
      const listed = await find(name, `query=${encodeURIComponent(`type:repo content:${needle}`)}`);
      expect(listed.body.sources).toMatchObject([{ source_name: `NPM: ${name}` }]);
    });

    it('as text and as a stream', async () => {
      const { name, needle } = published({ deprecated: 'old' });
      const body = { ecosystem: 'npm', package_name: name, pattern: `const ${needle}` };
      const text = await service.call('POST', '/packages/search/code', body, {
        headers: { accept: 'text/plain' },
      });
      expect(text.text.split('\n').slice(0, 2)).toEqual([
        `# NPM: ${name} @1.0.0`,
        `${name}/src/cart.ts:1:export const ${needle} = 1;`,
      ]);
      expect(text.text).toContain('# 1 lines in 1 files; complete\n# warning: Deprecated');
      const stream = await service.call('POST', '/packages/search/code', body, {
        headers: { accept: 'text/event-stream' },
      });
      expect(stream.headers['content-type']).toBe('text/event-stream');
      expect(stream.text).toMatch(/event: file\ndata: .*cart\.ts[^]*event: done\n/);
      const [, end = '{}'] = /event: done\ndata: (.*)/.exec(stream.text) ?? [];
      const done = JSON.parse(end) as { receipt_id: string };
      expect(done).toMatchObject({ package: { name, version: '1.0.0' }, cached: true, count: 1 });
      const replay = await service.call('POST', `/receipts/${done.receipt_id}/replay`);
      expect(replay.headers['x-replay-matches']).toBe('true');
      const long = await service.call(
        'POST',
        '/packages/search/code',
        { ...body, limit: 100_000 },
        { headers: { accept: 'text/plain' } },
      );
      expect(long.text).toContain(`${name}/src/cart.ts:1:export const ${needle} = 1;\n`);
      expect(long.text).toMatch(/# warning: Deprecated[^]*# receipt \S+\n$/);
      const unknown = { ...body, package_name: 'pkg-unknown' };
      const failed = await service.call<ErrorView>('POST', '/packages/search/code', unknown, {
        headers: { accept: 'text/event-stream' },
      });
      expect(failed.status).toBe(404);
    });

    it('rejects unknown releases, fields of sources and bad patterns, charging nothing', async () => {
      const { name } = published();
      await find(name, 'pattern=x');
      const before = await charges();
      const code = async (query: string, of = name) => (await find(of, query)).body.code;
      expect(await code('pattern=x', 'pkg-unknown')).toBe('package_not_found');
      expect(await code('pattern=x&version=9.9.9')).toBe('package_version_not_found');
      expect(await code('pattern=x&source_ids=x')).toBe('validation_failed');
      expect(await code('pattern=a(b&regex=true')).toBe('validation_failed');
      expect(await code('')).toBe('validation_failed');
      expect(await charges()).toBe(before);
      await find(name, 'pattern=x');
      expect(await charges()).toBe(before + 1);
    });
  });

  describe('has a tree and files', () => {
    it('that are indexed first, cost nothing and leave no receipt', async () => {
      const { name, needle } = published({ deprecated: 'use another one' });
      const before = await charges();
      const tree = await get<PackageTreeView>('tree', name, '');
      expect(tree.status).toBe(200);
      expect(tree.body).toMatchObject({
        package: { ecosystem: 'npm', name, version: '1.0.0' },
        cached: false,
        version_ref: '1.0.0',
        entries: [{ path: name, kind: 'folder', files: 3 }],
        warnings: [expect.stringContaining('use another one')],
      });
      const globbed = await get<PackageTreeView>('tree', name, 'glob=**/*.ts&limit=2&skip=2');
      expect(globbed.body).toMatchObject({ cached: true, total: 5 });
      expect(globbed.body.entries.map(({ path }) => path)).toEqual([
        `${name}/src/cart.ts`,
        `${name}/src/till`,
      ]);
      const below = await get<PackageTreeView>('tree', name, `path=${name}/src&depth=2`);
      expect(below.body.entries.map(({ path }) => path)).toEqual([
        `${name}/src/cart.ts`,
        `${name}/src/till`,
        `${name}/src/till/pay.ts`,
      ]);
      const path = `path=${name}/src/cart.ts`;
      const file = await get<PackageFileView>('files', name, `${path}&from_line=2&to_line=3`);
      expect(file.body).toMatchObject({
        package: { name, version: '1.0.0' },
        cached: true,
        exact: true,
        lines: ['', `// ${needle}, too`],
        total_lines: 3,
        warnings: [expect.stringContaining('use another one')],
      });
      for (const { headers } of [tree, globbed, file])
        expect(headers['x-receipt-id']).toBeUndefined();
      expect(await charges()).toBe(before);
    });

    it('as text equal the published bytes and have an ETag', async () => {
      const { name, needle } = published();
      const path = `path=${name}/src/cart.ts`;
      const { text, headers } = await get('files', name, `${path}&format=text`);
      expect(text).toBe(`export const ${needle} = 1;\n\n// ${needle}, too\n`);
      expect(headers['x-exact']).toBe('true');
      const again = await get('files', name, path, {
        headers: { accept: 'text/plain', 'if-none-match': String(headers['etag']) },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it('of the version that the request names, and of no other generation', async () => {
      const old = published();
      published({ files: { 'src/new.ts': 'export {};\n' } }, '2.0.0', old.name);
      const glob = 'glob=**/*.ts';
      const newest = await get<PackageTreeView>('tree', old.name, glob);
      expect(newest.body.entries.map(({ path }) => path)).toEqual([
        old.name,
        `${old.name}/src`,
        `${old.name}/src/new.ts`,
      ]);
      const named = await get<PackageTreeView>('tree', old.name, `${glob}&version=1.0.0`);
      expect(named.body.entries.at(-1)?.path).toBe(`${old.name}/src/till/pay.ts`);
      const code = async (route: string, query: string, of = old.name) =>
        (await get(route, of, query)).body.code;
      expect(await code('tree', 'generation=1')).toBe('validation_failed');
      expect(await code('files', 'path=x&version_ref=1.0.0')).toBe('validation_failed');
      expect(await code('files', '')).toBe('validation_failed');
      expect(await code('files', 'path=x&from_line=2&to_line=1')).toBe('validation_failed');
      expect(await code('files', 'path=none.ts')).toBe('content_not_found');
      expect(await code('tree', '', 'pkg-unknown')).toBe('package_not_found');
      expect(await code('tree', 'version=9.9.9')).toBe('package_version_not_found');
    });
  });

  it('of a private registry is found by its tenant alone', async () => {
    const ownerTenantId = service.tenants[0]?.tenantId;
    const { name, needle } = published({ ownerTenantId });
    expect((await find(name, `pattern=${needle}`)).body.count).toBe(3);
    expect((await get<PackageTreeView>('tree', name, '')).body.total).toBe(1);
    const path = `path=${name}/src/cart.ts`;
    expect((await get<PackageFileView>('files', name, path)).status).toBe(200);
    for (const [route, query] of [
      ['search/code', `pattern=${needle}`],
      ['tree', ''],
      ['files', path],
    ] as const)
      expect((await get(route, name, query, { tenant: 1 })).body.code).toBe('package_not_found');
  });

  it('stays out of the searches of tenants that do not link it', async () => {
    const { name, needle } = published();
    const { body } = await find(name, `pattern=${needle}`);
    const id = String(body.files[0]?.source_id);
    for (const tenant of [0, 1]) {
      const own = await service.call<CodeSearchResponseView>(
        'GET',
        `/search/code?pattern=${needle}`,
        undefined,
        { tenant },
      );
      expect(own.body).toMatchObject({ count: 0, sources_searched: 0 });
      const tree = await service.call<ErrorView>('GET', `/sources/${id}/tree`, undefined, {
        tenant,
      });
      expect(tree.body.code).toBe('source_not_found');
    }
  });

  it('is covered by code searches of a tenant that links it, as its policy says', async () => {
    const { name, needle } = published();
    const { body: link } = await calls.add(name);
    await calls.synced(link.link_id);
    const search = async (query: string, more = '', tenant = 0) => {
      const path = `/search/code?query=${encodeURIComponent(query)}${more}`;
      return (await service.call<CodeSearchResponseView>('GET', path, undefined, { tenant })).body;
    };
    const found = await search(needle);
    expect(linesOf(found)).toHaveLength(3);
    const [file] = found.files;
    expect(file).toMatchObject({ source_name: `NPM: ${name}`, version_ref: '1.0.0' });
    expect((await search(needle, `&source_ids=${file?.source_id}`)).count).toBe(3);
    expect((await search(`${needle} repo:${name}`)).count).toBe(3);
    const others = await search(`${needle} -repo:${name}`);
    expect(others).toMatchObject({ count: 0, complete: true });
    expect((await search(`type:repo content:${needle}`)).sources).toHaveLength(1);
    expect((await search(needle, '', 1)).count).toBe(0);

    const until = async (policy: object, count: number, more = '') => {
      expect((await service.call('PUT', '/policy', policy)).status).toBe(200);
      await service.until(async () => (await search(needle, more)).count === count, 'the policy');
    };
    try {
      await until({ source_priorities: { repo: 0 } }, 0);
      await until({ source_priorities: { repo: 1 } }, 3);
      aheadMs = 120_000;
      await until({ enforce_staleness: true, staleness_budget_seconds: 60 }, 0, STALE);
      expect(await search(needle)).toMatchObject({ count: 3, files: [{ is_stale: true }, {}] });
    } finally {
      aheadMs = 0;
      await service.call('POST', '/policy/reset');
    }
    await service.call('DELETE', `/packages/my-packages/${link.link_id}`);
    await service.until(async () => (await search(needle)).count === 0, 'the removed link');
  });
});
