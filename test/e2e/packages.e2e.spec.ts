import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type {
  GlobalPackageList,
  PackageLinkList,
  PackageLinkView,
  PackageSearchResponseView,
} from '#contracts/http/index';
import { ApiClient } from '#test/support/api-client';
import { startCommand } from '#test/support/command-line';
import { RegistrySite } from '#test/support/packages/registry-site';
import { TwoTenantService } from '#test/support/two-tenants';

const NPM_FILES = {
  'package.json': '{"name": "@acme/okapi", "version": "1.2.0"}',
  'README.md': '# Okapi\n\nFeed it before the market opens.\n',
  'src/feeding.ts':
    '/** Feeds an okapi until it is full. */\nexport function feedOkapi(amount: number): number {\n  return amount;\n}\n',
};
const WHEEL_FILES = {
  'capybara/pool.py':
    'def drain_pool(pool):\n    """Lets the water out of a pool."""\n    return pool.close()\n',
  'capybara-3.0.dist-info/METADATA': 'Name: capybara\n',
};

describe('packages: search, link, forget', () => {
  let registry: RegistrySite;
  let service: TwoTenantService;
  let clients: readonly ApiClient[];

  beforeAll(async () => {
    registry = await RegistrySite.start();
    registry.npm('@acme/okapi', {
      '1.2.0': { content: NPM_FILES, fields: { description: 'Okapis', license: 'MIT' } },
    });
    registry.npm('large', {
      '1.0.0': { content: { 'index.js': 'x'.repeat(200_000) }, dist: { unpackedSize: 9e9 } },
    });
    registry.pypi('capybara', {
      '3.0': { files: [{ filename: 'capybara-3.0-py3-none-any.whl', content: WHEEL_FILES }] },
    });
    const environment = { ...registry.environment, PACKAGE_SEARCH_SECONDS: '30' };
    service = await TwoTenantService.start(environment, { api: 2 });
    const urls = service.stack ? service.processes.apis.map(({ url }) => url) : [service.url];
    clients = urls.map((url) => new ApiClient(url, service.key));
  }, 180_000);
  afterAll(async () => {
    await service.dispose();
    await registry.stop();
  });

  const search = (client: ApiClient, body: object) =>
    client.call<PackageSearchResponseView>('POST', '/packages/search', body);
  const pathsOf = ({ results }: PackageSearchResponseView) =>
    results.map(({ citation }) => citation.path);

  it('downloads a package once for twenty first searches through every API, and answers all of them', async () => {
    const body = { ecosystem: 'npm', package_name: '@acme/okapi', query: 'feed an okapi' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        search(clients[at % clients.length] ?? service.first, body),
      ),
    );
    for (const { status, body: answer } of answers) {
      expect([status, answer.package]).toEqual([
        200,
        { ecosystem: 'npm', name: '@acme/okapi', version: '1.2.0' },
      ]);
      expect(pathsOf(answer)[0]).toBe('@acme/okapi/src/feeding.ts');
      expect(answer.results[0]?.citation).toMatchObject({
        source_name: 'NPM: @acme/okapi',
        version_ref: '1.2.0',
      });
    }
    expect(registry.downloads).toHaveLength(1);
    const again = await search(service.second, body);
    expect([again.body.cached, pathsOf(again.body)[0]]).toEqual([
      true,
      '@acme/okapi/src/feeding.ts',
    ]);
    expect(registry.downloads).toHaveLength(1);
  }, 120_000);

  it('reads a wheel, and names what it is asked for as its index does', async () => {
    const query = 'package_name=Capybara&ecosystem=pypi&query=drain%20the%20pool&version=3.0';
    const { status, body } = await service.first.call<PackageSearchResponseView>(
      'GET',
      `/packages/search?${query}`,
    );
    expect([status, body.package, pathsOf(body)[0]]).toEqual([
      ...[200, { ecosystem: 'pypi', name: 'capybara', version: '3.0' }, 'capybara/pool.py'],
    ]);
  }, 60_000);

  it('shows the code of a release by the command line', async () => {
    const env = { FOOTNOTE_URL: service.url, FOOTNOTE_API_KEY: service.key };
    const run = (operation: string, ...words: string[]) =>
      startCommand(['package', operation, 'npm', '@acme/okapi', ...words], { env }).result;
    const file = '@acme/okapi/src/feeding.ts';
    const grep = await run('grep', 'FEEDokapi', '-i', '--release', '1.2.0');
    expect([grep.code, grep.stdout]).toEqual([
      ...[0, `NPM: @acme/okapi ${file}:2:export function feedOkapi(amount: number): number {\n`],
    ]);
    expect((await run('grep', 'nothing has it')).code).toBe(1);
    expect((await run('cat', file)).stdout).toBe(NPM_FILES['src/feeding.ts']);
    expect((await run('cat', file, '--lines', '3:4')).stdout).toBe('  return amount;\n}\n');
    expect((await run('cat', 'none.ts')).code).toBe(4);
    const { stdout } = await run('tree', '--glob', '**/*.ts');
    expect(stdout).toMatch(new RegExp(`^${file} +file`, 'm'));
  }, 60_000);

  it('links a package for one tenant, whose searches cover it from then on', async () => {
    const asked = { ecosystem: 'npm', name: '@acme/okapi', version: '1.2.0' };
    const link = await service.first.expect<PackageLinkView>('POST', '/packages/add', asked);
    expect((await service.first.call('POST', '/packages/add', asked)).status).toBe(200);
    for (const client of clients)
      await until(async () => (await found(client)).includes('@acme/okapi/README.md'));
    expect(await found(service.second)).toEqual([]);
    // From the log alone, the same again.
    await service.operate('rebuild');
    const { packages } = await service.first.expect<PackageLinkList>(
      'GET',
      '/packages/my-packages',
    );
    expect(packages).toEqual([{ ...link, status: 'synced' }]);
    expect(await service.second.expect<PackageLinkList>('GET', '/packages/my-packages')).toEqual({
      packages: [],
      total: 0,
    });
    await service.first.expect('DELETE', `/packages/my-packages/${link.link_id}`);
    for (const client of clients) await until(async () => (await found(client)).length === 0);
    const catalogue = await fetch(`${service.url}/packages/global?query=okapi`);
    expect(((await catalogue.json()) as GlobalPackageList).packages).toMatchObject([
      { package_id: link.package_id, name: '@acme/okapi', status: 'synced', description: 'Okapis' },
    ]);
  }, 180_000);

  it('says what is wrong', async () => {
    const answers = await Promise.all([
      search(service.first, { ecosystem: 'npm', package_name: 'nobody-has-it', query: 'x' }),
      search(service.first, {
        ecosystem: 'npm',
        package_name: '@acme/okapi',
        query: 'x',
        version: '9.9.9',
      }),
      search(service.first, {
        ecosystem: 'npm',
        package_name: '@acme/okapi',
        query: 'x',
        version: '^1.0.0',
      }),
      search(service.first, { ecosystem: 'npm', package_name: 'large', query: 'x' }),
    ]);
    expect(
      answers.map(({ status, body }) => [status, (body as unknown as { code: string }).code]),
    ).toEqual([
      [404, 'package_not_found'],
      [404, 'package_version_not_found'],
      [400, 'package_refused'],
      [413, 'package_too_large'],
    ]);
    await registry.stop();
    const away = await search(service.first, {
      ecosystem: 'npm',
      package_name: 'another',
      query: 'x',
    });
    expect([away.status, (away.body as unknown as { code: string }).code]).toEqual([
      502,
      'registry_unavailable',
    ]);
    const held = {
      ecosystem: 'npm',
      package_name: '@acme/okapi',
      query: 'feed an okapi',
      version: '1.2.0',
    };
    expect((await search(service.first, held)).status).toBe(200);
  }, 120_000);

  async function found(client: ApiClient): Promise<string[]> {
    const { results = [] } = await client.search('market okapi');
    return results.map(({ citation }) => citation.path);
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 60_000; !(await isSo()); await delay(50)) {
      if (Date.now() > deadline) throw new Error('Waited too long');
    }
  }
});
