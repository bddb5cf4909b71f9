import { existsSync, readdirSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import {
  isStageFailure,
  packageDefinition,
  packageProblemOf,
  type PackageVersion,
  PUBLIC_TENANT,
} from '#contracts';
import type { PackageSettings } from '#platform';
import { fetcherContract } from '#test/contracts/fetcher.contract';
import { type TarEntry, tarGz, zip } from '#test/support/packages/archives';
import { RegistrySite } from '#test/support/packages/registry-site';
import { tempDir } from '#test/support/temp-dir';

import type { FetchRequest } from '../fetch/fetcher.port.js';
import { createPackageFetcher } from './package-fetcher.js';

const NETWORK = { allowPrivateNetworks: false };

fetcherContract('a package', async () => {
  const site = await RegistrySite.start();
  const files = new Map<string, string>();
  let release = 0;
  const publish = (): void => {
    release += 1;
    // A release never changes: only the requested release changes.
    site.npm('thing', { [`1.0.${release}`]: { content: Object.fromEntries(files) } });
  };
  publish();
  const settings = site.settings();
  return {
    fetcher: contractFetcher(settings),
    get definition() {
      return packageDefinition({ ecosystem: 'npm', name: 'thing', version: `1.0.${release}` });
    },
    missing: packageDefinition({ ecosystem: 'npm', name: 'gone', version: '1.0.0' }),
    pathOf: (path) => `thing/${path}`,
    async change(documents) {
      for (const [path, text] of Object.entries(documents)) {
        if (text === null) files.delete(path);
        else files.set(path, text);
      }
      publish();
    },
    dispose: () => site.stop(),
  };
});

/** Returns a fetcher for the contract, which asks as a tenant; the packages here are public. */
function contractFetcher(settings: PackageSettings) {
  const fetcher = createPackageFetcher(settings, NETWORK);
  return {
    resolve: (request: FetchRequest) => fetcher.resolve({ ...request, tenantId: PUBLIC_TENANT }),
  };
}

describe('a release', () => {
  let site: RegistrySite;
  let folder: ReturnType<typeof tempDir>;
  beforeAll(async () => {
    site = await RegistrySite.start();
  });
  afterAll(() => site.stop());
  beforeEach(() => {
    folder = tempDir('footnote-package-');
  });
  afterEach(() => folder.remove());

  async function opened(
    release: PackageVersion,
    more: Partial<FetchRequest> = {},
    settings: Partial<PackageSettings> = {},
  ) {
    const fetcher = createPackageFetcher(site.settings(settings), NETWORK);
    const version = await fetcher.resolve({
      tenantId: PUBLIC_TENANT,
      definition: packageDefinition(release),
      directory: `${folder.path}/scratch`,
      recipe: 'r1',
      limits: { maxFileBytes: 10_000, maxSourceBytes: 1_000_000, maxSourceFiles: 1_000 },
      network: { ...NETWORK, fileUrls: { below: [], except: '/' } },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      ...more,
    });
    expect(version.ref).toBe(release.version);
    return version.open([]);
  }

  async function paths(release: PackageVersion, more: Partial<FetchRequest> = {}) {
    const snapshot = await opened(release, more);
    const { documents, skipped } = snapshot;
    await snapshot.close();
    expect(readdirSync(`${folder.path}/scratch`)).toEqual([]);
    return { paths: documents.map(({ path }) => path), skipped };
  }

  async function refusal(work: Promise<unknown>): Promise<unknown> {
    const error = await work.then(
      () => new Error('was read'),
      (thrown: unknown) => thrown as Error,
    );
    if (!isStageFailure(error)) throw error;
    if (existsSync(`${folder.path}/scratch`))
      expect(readdirSync(`${folder.path}/scratch`)).toEqual([]);
    return [packageProblemOf(error), error.message, error.retryable];
  }

  it('of npm is read below its own name, without what was built of what is there', async () => {
    site.npm('@acme/ui', {
      '1.0.0': {
        content: {
          'package.json': '{}',
          'src/a.ts': 'export const a = 1;',
          'dist/a.js': 'x',
          'dist/a.js.map': '{}',
          'a.min.js': 'x',
          'logo.png': 'x',
          'node_modules/other/index.js': 'x',
        },
      },
    });
    expect(await paths({ ecosystem: 'npm', name: '@acme/ui', version: '1.0.0' })).toEqual({
      paths: ['@acme/ui/package.json', '@acme/ui/src/a.ts'],
      skipped: {
        files_skipped: 5,
        files_skipped_binary: 1,
        files_skipped_built: 1,
        files_skipped_generated: 1,
        files_skipped_minified: 1,
        files_skipped_vendored: 1,
      },
    });
  });

  it('of PyPI is the wheel, whose own folder is its name', async () => {
    const wheel = {
      'requests/api.py': 'x',
      'other.py': 'x',
      'requests-2.0.dist-info/METADATA': 'x',
      'requests-2.0.dist-info/RECORD': 'x',
    };
    site.pypi('requests', {
      '2.0': {
        files: [
          { filename: 'requests-2.0.tar.gz', content: { 'requests-2.0/src/requests/api.py': 'x' } },
          { filename: 'requests-2.0-py3-none-any.whl', content: wheel },
        ],
      },
      '1.0': {
        files: [
          { filename: 'requests-1.0.tar.gz', content: { 'requests-1.0/src/requests/api.py': 'x' } },
        ],
      },
    });
    expect(await paths({ ecosystem: 'pypi', name: 'requests', version: '2.0' })).toMatchObject({
      paths: ['requests/api.py', 'requests/other.py', 'requests/requests-2.0.dist-info/METADATA'],
      skipped: { files_skipped: 1, files_skipped_packaging: 1 },
    });
    expect(await paths({ ecosystem: 'pypi', name: 'requests', version: '1.0' })).toMatchObject({
      paths: ['requests/src/requests/api.py'],
    });
  });

  it('of a crate, an artifact and a module is its sources', async () => {
    site.cargo('serde', {
      '1.0.0': { content: { 'src/lib.rs': 'x', 'Cargo.toml': 'x', 'Cargo.toml.orig': 'x' } },
    });
    expect(await paths({ ecosystem: 'cargo', name: 'serde', version: '1.0.0' })).toMatchObject({
      paths: ['serde/Cargo.toml', 'serde/src/lib.rs'],
    });
    site.maven('com.acme:thing', {
      '1.0': { sources: { 'com/acme/Thing.java': 'x' }, jar: { 'com/acme/Thing.class': 'x' } },
    });
    expect(
      await paths({ ecosystem: 'maven', name: 'com.acme:thing', version: '1.0' }),
    ).toMatchObject({
      paths: ['com.acme:thing/com/acme/Thing.java'],
    });
    site.go('golang.org/x/Mod', { 'v0.1.0': { 'modfile/read.go': 'x' } });
    expect(
      await paths({ ecosystem: 'go', name: 'golang.org/x/Mod', version: 'v0.1.0' }),
    ).toMatchObject({
      paths: ['golang.org/x/Mod/modfile/read.go'],
    });
  });

  it('takes the archive that fits', async () => {
    const large = 'x'.repeat(50_000);
    const files = [
      { filename: 'big-1.0-py3-none-any.whl', content: { 'big/a.py': large } },
      { filename: 'big-1.0.tar.gz', content: { 'big-1.0/a.py': 'x' }, fields: { size: 100 } },
    ];
    site.pypi('big', {
      '1.0': {
        files: files.map((file, at) => (at === 0 ? { ...file, fields: { size: 50_000 } } : file)),
      },
    });
    const release = { ecosystem: 'pypi', name: 'big', version: '1.0' } as const;
    const snapshot = await opened(release, {}, { maxBytes: 20_000 });
    expect(snapshot.documents.map(({ path }) => path)).toEqual(['big/a.py']);
    expect(site.downloads.at(-1)).toBe('/python-files/big-1.0.tar.gz');
    await snapshot.close();
    const expected =
      'pkg:pypi/big@1.0 is larger than PACKAGE_MAX_BYTES (50) and PACKAGE_MAX_UNPACKED_BYTES (30000000) allow';
    expect(await refusal(opened(release, {}, { maxBytes: 50 }))).toEqual([
      'package_too_large',
      expected,
      false,
    ]);
  });

  const thing = { ecosystem: 'npm', name: 'thing', version: '1.0.0' } as const;
  const published = (content: Uint8Array, dist = {}) =>
    site.npm('thing', { '1.0.0': { content, dist } });

  it('is held to its digest before anything of it is read', async () => {
    const other = `sha512-${Buffer.alloc(64).toString('base64')}`;
    published(tarGz({ 'package/../../x': 'x' }), { integrity: other });
    const expected =
      'The npm registry sent another archive of pkg:npm/thing@1.0.0 than it promised: its sha512 differs';
    expect(await refusal(opened(thing))).toEqual(['package_unreadable', expected, false]);
    published(tarGz({ 'package/a.js': 'x' }), { integrity: undefined, shasum: '0'.repeat(40) });
    expect(await refusal(opened(thing))).toMatchObject([
      'package_unreadable',
      expect.stringContaining('its sha1 differs'),
      false,
    ]);
    published(tarGz({ 'package/a.js': 'x' }), { integrity: undefined });
    expect((await paths(thing)).paths).toEqual(['thing/a.js']);
  });

  it.each<readonly [string, () => Uint8Array, string, string]>([
    [
      'leads out of itself',
      () => tarGz({ 'package/../../x': 'x' }),
      'package_unreadable',
      'The archive of pkg:npm/thing@1.0.0 holds the path "package/../../x", which leads out of it',
    ],
    [
      'links out of itself',
      () => tarGz([{ name: 'package/l', type: '2', target: '/etc' }] as TarEntry[]),
      'package_unreadable',
      'holds the link "package/l", which leads out of it',
    ],
    [
      'is cut off',
      () => tarGz({ 'package/a.js': 'x'.repeat(500) }).subarray(0, 60),
      'package_unreadable',
      'breaks off before its end',
    ],
    [
      'is a bomb',
      () => tarGz([{ name: 'package/a', content: Buffer.alloc(5_000_000) }]),
      'package_too_large',
      'unpacks to more than 1000000 bytes',
    ],
    [
      'is no archive',
      () => Buffer.from('<html>'),
      'package_unreadable',
      'is not a gzip file, or is damaged',
    ],
    [
      'is of another kind',
      () => zip({ 'package/a.js': 'x' }),
      'package_unreadable',
      'is not a gzip file, or is damaged',
    ],
  ])('that %s is refused, and nothing stays', async (_, content, problem, message) => {
    published(content());
    expect(await refusal(opened(thing))).toEqual([
      problem,
      expect.stringContaining(message),
      false,
    ]);
  });

  it('that is larger than the registry said is refused while it arrives', async () => {
    published(tarGz({ 'package/a.js': 'x' }));
    const archive = '/npm/thing/-/thing-1.0.0.tgz';
    site.put({ [archive]: (_, response) => response.writeHead(200).end(Buffer.alloc(200_000)) });
    const expected = [
      'package_too_large',
      'The npm registry sends more than is taken of one package',
      false,
    ];
    expect(await refusal(opened(thing, {}, { maxBytes: 100_000 }))).toEqual(expected);
    site.put({ [archive]: (_, response) => void response.writeHead(200).write('begun') });
    const late = ['registry_timeout', 'The npm registry did not answer in time', true];
    expect(await refusal(opened(thing, { timeoutMs: 300 }))).toEqual(late);
    site.put({ [archive]: null });
    expect(await refusal(opened(thing))).toMatchObject([
      'registry_unavailable',
      'The npm registry answered 404',
      false,
    ]);
  });

  it('leaves out what is no readable file, and counts it', async () => {
    published(
      tarGz([
        { name: 'package/a.js', content: 'first' },
        { name: 'package/a.js', content: 'x' },
        { name: 'package/l.js', type: '2', target: 'a.js' },
        { name: Buffer.from('package/\xe9.js', 'latin1'), content: 'x' },
        { name: 'outside.js', content: 'x' },
      ]),
    );
    expect(await paths(thing)).toEqual({
      paths: ['thing/a.js'],
      skipped: {
        files_skipped: 4,
        files_skipped_duplicate: 1,
        files_skipped_link: 1,
        files_skipped_name: 1,
        files_skipped_outside: 1,
      },
    });
  });

  it('of a private registry is fetched with its token, which an archive elsewhere does not see', async () => {
    const tenantId = '00000000-0000-5000-8000-000000000001';
    const elsewhere = await RegistrySite.start();
    try {
      const archive = tarGz({ 'package/a.js': 'x' });
      elsewhere.put({ '/thing.tgz': archive });
      site.npm('thing', {
        '1.0.0': { content: archive },
        '1.1.0': { content: archive, dist: { tarball: elsewhere.site.url('/thing.tgz') } },
      });
      const own = {
        ecosystem: 'npm',
        url: site.site.url('/npm'),
        names: ['thing'],
        tenants: [tenantId],
        token: 's3cret',
      } as const;
      const network = { allowPrivateNetworks: true, fileUrls: { below: [], except: '/' } };
      const open = (version: string) =>
        opened(
          { ...thing, version },
          { tenantId, network },
          { registries: {}, privateRegistries: [own] },
        );
      await (await open('1.0.0')).close();
      expect(site.site.seen.at(-1)).toMatchObject({
        path: '/npm/thing/-/thing-1.0.0.tgz',
        headers: { authorization: 'Bearer s3cret' },
      });
      await (await open('1.1.0')).close();
      expect(elsewhere.site.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('of a private registry that is gone is not looked for among everybody’s', async () => {
    published(tarGz({ 'package/a.js': 'x' }));
    const tenantId = '00000000-0000-5000-8000-000000000001';
    const expected = [
      'registry_unavailable',
      'No private registry of this tenant has thing any more',
      false,
    ];
    expect(await refusal(opened(thing, { tenantId }))).toEqual(expected);
  });
});
