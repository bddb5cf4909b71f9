import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  CodeSearchResponseView,
  DefinitionsView,
  ErrorView,
  PackageDefinitionsView,
  PackageReferencesView,
  ReferencesView,
  SourceFileView,
  SourceOutlineView,
  SourceTreeView,
} from '#contracts/http/index';
import { uniqueWord } from '#test/support/api/publish';
import { PackageCalls } from '#test/support/package-calls';
import { PackagesService } from '#test/support/packages-service';

describe('code navigation in packages', () => {
  let service: PackagesService;
  let calls: PackageCalls;
  beforeAll(async () => {
    service = await PackagesService.start({ JOB_MAX_RETRIES: '1' });
    calls = new PackageCalls(service);
  });
  afterAll(() => service.stop());

  const get = <View>(path: string, tenant = 0) =>
    service.call<View & ErrorView>('GET', path, undefined, { tenant });

  /** Publishes a package with a class of its own name. */
  function published(release: object = {}) {
    const type = `T${uniqueWord()}`;
    const field = `f${uniqueWord()}`;
    const files = {
      'src/cart.ts': `export class ${type} {\n  ${field} = 1;\n}\n`,
      'src/use.ts': `import { ${type} } from './cart';\nexport const made = new ${type}();\n`,
    };
    return { ...calls.published({ files, ...release }), type, field };
  }

  const inPackage = (operation: string, name: string, query: string, tenant = 0) =>
    get<PackageDefinitionsView>(
      `/packages/${operation}?ecosystem=npm&package_name=${name}&${query}`,
      tenant,
    );

  describe('of a release', () => {
    it('indexes it first, and finds its definitions by name, beginning and place', async () => {
      const { name, type, field } = published();
      const { status, body } = await inPackage('definitions', name, `name=${type}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        query: type,
        package: { ecosystem: 'npm', name, version: '1.0.0' },
        cached: false,
        count: 1,
        complete: true,
        definitions: [
          { kind: 'class', source_name: `NPM: ${name}`, path: `${name}/src/cart.ts`, line: 1 },
        ],
        warnings: [],
      });
      const symbols = await inPackage('symbols', name, `query=${field.slice(0, 12)}&version=1.0.0`);
      expect(symbols.body).toMatchObject({
        cached: true,
        definitions: [{ symbol: `${type}.${field}`, kind: 'property', line: 2, column: 3 }],
      });
      const place = `path=${name}/src/use.ts&line=2&column=25`;
      const placed = await inPackage('definitions', name, place, 1);
      expect(placed.body.definitions).toMatchObject([{ name: type, path: `${name}/src/cart.ts` }]);
    });

    it('resolves its references, charged and receipted as a search that replays equal', async () => {
      const { name, type } = published();
      const path = `/packages/references?ecosystem=npm&package_name=${name}&name=${type}`;
      const given = await get<PackageReferencesView>(path);
      expect(given.body.cached).toBe(false);
      expect(
        given.body.references.map(({ path: file, line, kind, precision }) => {
          return `${file}:${line} ${kind} ${precision}`;
        }),
      ).toEqual([
        `${name}/src/cart.ts:1 definition resolved`,
        `${name}/src/use.ts:1 import resolved`,
        `${name}/src/use.ts:2 reference resolved`,
      ]);
      const id = String(given.headers['x-receipt-id']);
      const replay = await service.call<ReferencesView>('POST', `/receipts/${id}/replay`);
      expect([replay.status, replay.headers['x-replay-matches']]).toEqual([200, 'true']);
      expect(replay.body.references).toEqual(given.body.references);
      expect((await get(`/receipts/${id}`, 1)).status).toBe(404);
    });

    it('examines that release alone, and reports notices of its registry', async () => {
      const one = published({ deprecated: 'use another one' });
      const two = published();
      expect((await inPackage('definitions', one.name, `name=${one.type}`)).body).toMatchObject({
        count: 1,
        warnings: [expect.stringContaining('use another one')],
      });
      expect((await inPackage('definitions', two.name, `name=${one.type}`)).body).toMatchObject({
        count: 0,
        complete: true,
        sources_searched: 1,
      });
      // Without a link, no search of the tenant covers it.
      const own = await get<DefinitionsView>(`/definitions?name=${one.type}`);
      expect(own.body).toMatchObject({ count: 0, sources_searched: 0 });
    });

    it('rejects unknown packages, fields of sources, and parts of places', async () => {
      const { name } = published();
      const code = async (operation: string, query: string, of = name) =>
        (await inPackage(operation, of, query)).body.code;
      expect(await code('definitions', 'name=x', 'pkg-unknown')).toBe('package_not_found');
      expect(await code('definitions', 'name=x&version=9.9.9')).toBe('package_version_not_found');
      expect(await code('definitions', 'name=x&ecosystem=none')).toBe('validation_failed');
      expect(await code('symbols', 'name=x')).toBe('validation_failed');
      expect(await code('definitions', '')).toBe('validation_failed');
      expect(await code('references', 'path=src/cart.ts&line=1')).toBe('validation_failed');
      expect(await code('references', 'path=none.ts&line=1&column=1')).toBe('content_not_found');
      for (const field of ['source_id', 'source_ids'])
        expect(await code('definitions', `name=x&${field}=x`)).toBe('validation_failed');
    });
  });

  it('covers linked packages, for the tenants that link them alone', async () => {
    const { name, type, field } = published();
    const { body: link } = await calls.add(name);
    await calls.synced(link.link_id);
    const definitions = (tenant: number) =>
      get<DefinitionsView>(`/definitions?name=${type}`, tenant);
    const { body } = await definitions(0);
    expect(body.definitions).toMatchObject([{ path: `${name}/src/cart.ts`, version_ref: '1.0.0' }]);
    expect((await definitions(1)).body.count).toBe(0);
    const id = String(body.definitions[0]?.source_id);
    const place = `source_id=${id}&path=${name}/src/use.ts&line=2&column=25`;
    const references = await get<ReferencesView>(`/references?${place}`);
    expect(references.body.references.map(({ precision }) => precision)).toEqual(
      Array(3).fill('resolved'),
    );
    expect((await get(`/references?${place}`, 1)).body.code).toBe('source_not_found');
    const symbols = await get<DefinitionsView>(`/symbols?query=${field}&source_ids=${id}`);
    expect(symbols.body.definitions).toMatchObject([{ kind: 'property' }]);
    const search = `/search/code?pattern=${field}&source_ids=${id}`;
    const found = await get<CodeSearchResponseView>(search);
    expect(found.body).toMatchObject({ count: 1, complete: true });
    expect((await get<CodeSearchResponseView>(search, 1)).body.count).toBe(0);

    const file = `path=${name}/src/cart.ts`;
    const outline = await get<SourceOutlineView>(`/sources/${id}/outline?${file}`);
    expect(outline.body.definitions.map(({ symbol }) => symbol)).toEqual([
      type,
      `${type}.${field}`,
    ]);
    const text = await get<SourceFileView>(`/sources/${id}/files?${file}`);
    expect([text.status, text.body.exact]).toEqual([200, true]);
    const tree = await get<SourceTreeView>(`/sources/${id}/tree?path=${name}/src`);
    expect(tree.body.entries).toHaveLength(2);
    for (const route of [`outline?${file}`, `files?${file}`, 'tree'])
      expect((await get(`/sources/${id}/${route}`, 1)).body.code).toBe('source_not_found');
  });
});
