import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type Ecosystem, isStageFailure, packageProblemOf } from '#contracts';
import type { PackageSettings } from '#platform';
import { RegistrySite } from '#test/support/packages/registry-site';

import { PackageRegistries } from './package-registries.js';

const TENANT = '00000000-0000-5000-8000-000000000001';
const OTHER = '00000000-0000-5000-8000-000000000002';
const FILES = { 'index.js': 'x' };

let site: RegistrySite;
beforeAll(async () => {
  site = await RegistrySite.start();
  site.npm('react', {
    '18.3.1': { content: FILES, fields: { deprecated: 'use 19' } },
    '19.0.0-rc.1': { content: FILES },
    '19.0.0': {
      content: FILES,
      fields: { description: ' UI ', homepage: 'https://react.example/', license: 'MIT' },
      dist: { unpackedSize: 9 },
    },
  });
  site.npm('@acme/ui', { '1.0.0': { content: FILES } });
  site.npm('early', { '1.0.0-alpha': { content: FILES }, '1.0.0-beta': { content: FILES } });
  site.npm('ahead', { '1.0.0': { content: FILES }, '2.0.0-rc': { content: FILES } });
  site.npm('old', { '1.0.0': { content: FILES, dist: { integrity: undefined } } });
  const wheel = { filename: 'Zope_Interface-2.0-py3-none-any.whl', content: FILES };
  site.pypi('zope-interface', {
    '1.0': {
      files: [{ ...wheel, filename: 'z-1.0-py3-none-any.whl', fields: { yanked: true } }],
      info: { yanked: true, yanked_reason: 'broken' },
    },
    '2.0': {
      files: [
        { filename: 'z-2.0.tar.gz', content: FILES },
        { filename: 'z-2.0-cp312-linux.whl', content: FILES },
        wheel,
      ],
      info: {
        summary: 'Interfaces',
        license_expression: 'ZPL-2.1',
        project_urls: { Homepage: 'https://zope.example' },
      },
    },
    '3.0': { files: [{ ...wheel, filename: 'z-3.0-py3-none-any.whl', fields: { yanked: true } }] },
    '3.1a1': { files: [{ ...wheel, filename: 'z-3.1a1-py3-none-any.whl' }] },
  });
  site.cargo('serde_json', {
    '1.0.9': { content: FILES },
    '1.0.10': { content: FILES },
    '1.0.11': { content: FILES, yanked: true },
    '2.0.0-rc.1': { content: FILES },
  });
  site.maven('com.acme:thing', {
    '1.9': { sources: FILES, jar: FILES },
    '1.10': {
      sources: FILES,
      jar: FILES,
      pom: '<project><description>A\n thing</description><url>https://thing.example</url><licenses><license><name>Apache-2.0</name></license></licenses></project>',
    },
    '2.0-M1': { jar: FILES },
  });
  site.go(
    'github.com/Acme/thing',
    { 'v1.0.0': FILES, 'v1.2.0': FILES, 'v1.3.0-pre': FILES, 'v3.0.0+incompatible': FILES },
    '// Deprecated: use other\nmodule github.com/Acme/thing\n\nretract (\n\t// lost data (see #1)\n\t[v1.0.0, v1.1.0]\n)\n',
  );
});
afterAll(() => site.stop());
beforeEach(() => {
  site.site.seen.length = 0;
});

function registries(more: Partial<PackageSettings> = {}): PackageRegistries {
  return new PackageRegistries(site.settings(more), { allowPrivateNetworks: false });
}

const resolve = (
  ecosystem: Ecosystem,
  name: string,
  version?: string,
  from = registries(),
  tenantId = TENANT,
) => from.resolve({ ecosystem, name, version, tenantId }, new AbortController().signal);

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => new Error('was found'),
    (thrown: unknown) => thrown as Error,
  );
  if (!isStageFailure(error)) throw error;
  // Addresses of registries are private to the operator.
  expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain('127.0.0.1');
  return [packageProblemOf(error), error.message, error.retryable];
}

describe('releases', () => {
  it('of npm are described by their own small document', async () => {
    expect(await resolve('npm', 'react')).toEqual({
      ecosystem: 'npm',
      name: 'react',
      version: '19.0.0',
      ownerTenantId: 'public',
      description: 'UI',
      homepage: 'https://react.example/',
      license: 'MIT',
      deprecated: null,
      yanked: null,
      archives: [
        {
          url: site.site.url('/npm/react/-/react-19.0.0.tgz'),
          format: 'tar.gz',
          content: 'built',
          strip: true,
          digest: { algorithm: 'sha512', hex: expect.stringMatching(/^[0-9a-f]{128}$/) },
          size: null,
          unpackedSize: 9,
        },
      ],
    });
    expect(site.site.takeSeen()).toEqual(['/npm/react/latest']);
  });

  it.each<readonly [Ecosystem, string, string | undefined, string, string]>([
    ['npm', 'react', '18.3.1', 'react', '18.3.1'],
    ['npm', 'react', '19.0.0-rc.1', 'react', '19.0.0-rc.1'],
    ['npm', '@acme/ui', undefined, '@acme/ui', '1.0.0'],
    ['npm', 'early', undefined, 'early', '1.0.0-beta'],
    ['npm', 'ahead', undefined, 'ahead', '1.0.0'],
    ['pypi', 'Zope.Interface', undefined, 'zope-interface', '2.0'],
    ['pypi', 'zope_interface', '2.0.0', 'zope-interface', '2.0'],
    ['pypi', 'zope-interface', '3.1a1', 'zope-interface', '3.1a1'],
    ['cargo', 'serde-json', undefined, 'serde_json', '1.0.10'],
    ['cargo', 'serde_json', '1.0.9', 'serde_json', '1.0.9'],
    ['maven', 'com.acme:thing', undefined, 'com.acme:thing', '1.10'],
    ['maven', 'com.acme:thing', '2.0-M1', 'com.acme:thing', '2.0-M1'],
    ['go', 'github.com/Acme/thing', undefined, 'github.com/Acme/thing', 'v1.2.0'],
    ['go', 'github.com/Acme/thing', '1.3.0-pre', 'github.com/Acme/thing', 'v1.3.0-pre'],
  ])('of %s %s %s are found as %s %s', async (ecosystem, name, version, canonical, exact) => {
    expect(await resolve(ecosystem, name, version)).toMatchObject({
      ecosystem,
      name: canonical,
      version: exact,
    });
  });

  it('say that they are deprecated or were withdrawn', async () => {
    expect(await resolve('npm', 'react', '18.3.1')).toMatchObject({
      deprecated: 'use 19',
      yanked: null,
    });
    expect(await resolve('pypi', 'zope-interface', '1.0')).toMatchObject({ yanked: 'broken' });
    expect(await resolve('pypi', 'zope-interface', '3.0')).toMatchObject({ yanked: '' });
    expect(await resolve('cargo', 'serde_json', '1.0.11')).toMatchObject({ yanked: '' });
    expect(await resolve('go', 'github.com/Acme/thing', 'v1.0.0')).toMatchObject({
      deprecated: 'use other',
      yanked: 'lost data (see #1)',
    });
    expect(await resolve('go', 'github.com/Acme/thing', 'v1.2.0')).toMatchObject({
      deprecated: 'use other',
      yanked: null,
    });
  });

  it('offer their archives best first: Python alone before compiled, sources of a jar before the jar', async () => {
    const python = await resolve('pypi', 'zope-interface', '2.0');
    expect(python.archives.map(({ content, format }) => [content, format])).toEqual([
      ['built', 'zip'],
      ['binary', 'zip'],
      ['source', 'tar.gz'],
    ]);
    expect(python).toMatchObject({
      description: 'Interfaces',
      license: 'ZPL-2.1',
      homepage: 'https://zope.example',
    });
    const java = await resolve('maven', 'com.acme:thing', '1.10');
    expect(java.archives.map(({ content, digest }) => [content, digest?.algorithm])).toEqual([
      ['source', 'sha1'],
      ['binary', 'sha1'],
    ]);
    expect(java).toMatchObject({
      description: 'A thing',
      homepage: 'https://thing.example',
      license: 'Apache-2.0',
    });
    expect((await resolve('npm', 'old')).archives[0]?.digest?.algorithm).toBe('sha1');
    expect((await resolve('go', 'github.com/Acme/thing')).archives[0]).toMatchObject({
      url: site.site.url('/go/github.com/!acme/thing/@v/v1.2.0.zip'),
      strip: 'github.com/Acme/thing@v1.2.0/',
    });
  });
});

describe('what is not taken', () => {
  it.each<readonly [Ecosystem, string, string | undefined, string, string]>([
    [
      'npm',
      'react',
      '^19',
      'package_refused',
      'The version "^19" of react is a range of versions: give an exact version, or none for the latest, such as 19.0.0',
    ],
    [
      'npm',
      'react',
      'next',
      'package_refused',
      'The version "next" of react is no exact version; tags and branches are not taken: give an exact version',
    ],
    [
      'npm',
      '../react',
      undefined,
      'package_refused',
      '"../react" is no name of a package: it takes letters',
    ],
    ['npm', 'nothing', undefined, 'package_not_found', 'There is no package nothing'],
    [
      'npm',
      'react',
      '1.2.3',
      'package_version_not_found',
      'The package react has no version "1.2.3"',
    ],
    [
      'pypi',
      'zope-interface',
      '>=2',
      'package_refused',
      'The version ">=2" of zope-interface is a range of versions',
    ],
    ['pypi', 'zope interface', undefined, 'package_refused', '"zope interface" is no name'],
    ['pypi', 'nothing', '1.0', 'package_not_found', 'There is no package nothing'],
    [
      'pypi',
      'zope-interface',
      '9.9',
      'package_version_not_found',
      'The package zope-interface has no version "9.9"',
    ],
    ['cargo', 'nothing', undefined, 'package_not_found', 'There is no package nothing'],
    [
      'cargo',
      'serde_json',
      '9.0.0',
      'package_version_not_found',
      'The package serde_json has no version',
    ],
    [
      'maven',
      'thing',
      undefined,
      'package_refused',
      '"thing" is no name of a package: it takes `group:artifact`',
    ],
    ['maven', 'com.acme:thing', '[1,2)', 'package_refused', 'is a range of versions'],
    ['maven', 'com.acme:thing', '1.0-SNAPSHOT', 'package_refused', 'is no exact version'],
    ['maven', 'com.acme:thing', '7', 'package_version_not_found', 'has no version "7"'],
    ['maven', 'com.acme:nothing', '7', 'package_not_found', 'There is no package'],
    ['go', 'github.com/Acme/thing', 'master', 'package_refused', 'is no exact version'],
    [
      'go',
      'github.com/Acme/thing',
      'v7.0.0',
      'package_version_not_found',
      'has no version "v7.0.0"',
    ],
    ['go', 'github.com/acme/nothing', undefined, 'package_not_found', 'There is no package'],
    ['go', 'nothing', undefined, 'package_refused', 'it takes the path of a module'],
  ])('%s %s %s: %s', async (ecosystem, name, version, problem, message) => {
    expect(await refusal(resolve(ecosystem, name, version))).toEqual([
      problem,
      expect.stringContaining(message),
      false,
    ]);
  });

  it('is asked of no registry that nobody configured', async () => {
    const none = registries({ registries: { pypi: { url: 'https://pypi.example' } } });
    const message = 'No npm registry is configured (NPM_REGISTRY_URL); configured ecosystems: pypi';
    const expected = ['registry_not_configured', message, false];
    expect(await refusal(resolve('npm', 'react', undefined, none))).toEqual(expected);
  });
});

describe('a registry that is not as it should be', () => {
  const answering = (status: number, headers: Readonly<Record<string, string>> = {}) =>
    site.put({
      '/npm/trouble/latest': (_, response) => response.writeHead(status, headers).end('no'),
    });

  it.each<readonly [number, Readonly<Record<string, string>>, string, string, boolean]>([
    [503, {}, 'registry_unavailable', 'The npm registry answered 503', true],
    [
      429,
      { 'retry-after': '7' },
      'registry_unavailable',
      'The npm registry answered 429 and asks to come back in 7 s',
      true,
    ],
    [401, {}, 'registry_unavailable', 'The npm registry refuses to be read (401)', false],
  ])('answers %d', async (status, headers, ...expected) => {
    answering(status, headers);
    expect(await refusal(resolve('npm', 'trouble'))).toEqual(expected);
  });

  it('hands on when to ask again', async () => {
    answering(429, { 'retry-after': '7' });
    await expect(resolve('npm', 'trouble')).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it('says nothing at all, or is not there', async () => {
    site.put({ '/npm/trouble/latest': () => undefined });
    const expected = ['registry_timeout', 'The npm registry did not answer in time', true];
    expect(
      await refusal(resolve('npm', 'trouble', undefined, registries({ timeoutMs: 100 }))),
    ).toEqual(expected);
    const away = registries({ registries: { npm: { url: 'http://127.0.0.1:1' } } });
    const gone = [
      'registry_unavailable',
      'The npm registry cannot be reached (ECONNREFUSED)',
      true,
    ];
    expect(await refusal(resolve('npm', 'trouble', undefined, away))).toEqual(gone);
  });

  it.each([
    ['<html>', 'it is no JSON'],
    ['{"name":"trouble","version":"1.0.0"}', 'it names no archive'],
    [
      '{"name":"other","version":"1.0.0","dist":{"tarball":"http://x/y"}}',
      'it is the document of another package',
    ],
  ])('answers %s', async (text, what) => {
    site.put({ '/npm/trouble/latest': text });
    const expected = [
      'package_unreadable',
      `What the registry says of trouble cannot be read: ${what}`,
      false,
    ];
    expect(await refusal(resolve('npm', 'trouble'))).toEqual(expected);
  });

  it('leads nowhere inside, where the operator did not point', async () => {
    site.put({
      '/npm/trouble/latest': (_, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/x' }).end(),
    });
    expect(await refusal(resolve('npm', 'trouble'))).toMatchObject([
      'registry_unavailable',
      expect.any(String),
      false,
    ]);
  });
});

describe('what was asked before', () => {
  it('is asked for once by many at the same time, and not again for a while', async () => {
    const one = registries();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => resolve('npm', 'react', undefined, one)),
    );
    expect(new Set(answers.map(({ version }) => version))).toEqual(new Set(['19.0.0']));
    await resolve('npm', 'react', undefined, one);
    expect(site.site.takeSeen()).toEqual(['/npm/react/latest']);
  });

  it('of one who goes is still there for the others', async () => {
    const one = registries();
    const stop = new AbortController();
    const gone = one.resolve({ ecosystem: 'npm', name: 'react', tenantId: TENANT }, stop.signal);
    const stays = resolve('npm', 'react', undefined, one);
    stop.abort(new Error('enough'));
    await expect(gone).rejects.toBe(stop.signal.reason);
    expect(await stays).toMatchObject({ version: '19.0.0' });
  });
});

describe('a private registry', () => {
  const own = { ecosystem: 'npm', names: ['@acme/*'], tenants: [TENANT], token: 's3cret' } as const;

  it('has what its names match, for its tenants alone, with its token', async () => {
    site.npm('@acme/ui', { '2.0.0': { content: FILES } }, '2.0.0', '/inside');
    const one = registries({ privateRegistries: [{ ...own, url: site.site.url('/inside') }] });
    expect(await resolve('npm', '@acme/ui', undefined, one)).toMatchObject({
      version: '2.0.0',
      ownerTenantId: TENANT,
    });
    expect(site.site.seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
    expect(await resolve('npm', '@acme/ui', undefined, one, OTHER)).toMatchObject({
      version: '1.0.0',
      ownerTenantId: 'public',
    });
    expect(site.site.seen.at(-1)?.headers.authorization).toBeUndefined();
    expect(await resolve('npm', 'react', undefined, one)).toMatchObject({
      ownerTenantId: 'public',
    });
  });

  it('is not gone round when it has no such package', async () => {
    const one = registries({ privateRegistries: [{ ...own, url: site.site.url('/nowhere') }] });
    expect(await refusal(resolve('npm', '@acme/ui', undefined, one))).toContain(
      'package_not_found',
    );
  });
});
