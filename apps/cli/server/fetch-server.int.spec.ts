import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type TarEntry, tarGz } from '#test/support/packages/archives';
import { FakeNpm, replaceSearchPath, serverTarball } from '#test/support/packages/fake-npm';
import { tempDir } from '#test/support/temp-dir';

import { fetchServer } from './fetch-server.js';

describe('the server of up outside of a checkout', () => {
  let searchPath: string | undefined;
  let scratch: ReturnType<typeof tempDir>;
  let folder: string;
  let npm: FakeNpm;
  let notes: string[];

  beforeEach(() => {
    scratch = tempDir('fetch-server-');
    folder = join(scratch.path, 'server');
    npm = FakeNpm.create(join(scratch.path, 'npm'));
    npm.publish(serverTarball('// published'));
    searchPath = replaceSearchPath(npm.path);
    notes = [];
  });
  afterEach(() => {
    replaceSearchPath(searchPath);
    scratch.remove();
  });

  const fetched = (server?: string, signal = new AbortController().signal) =>
    fetchServer({ folder, server, signal, note: (text) => notes.push(text) });
  const file = (name: string, content: Uint8Array): string => {
    const path = join(scratch.path, name);
    writeFileSync(path, content);
    return path;
  };
  const problem = (server?: string) =>
    fetched(server).then(
      () => undefined,
      (error: Error & { exit?: string }) => [error.exit, error.message],
    );

  it('installs the package at the version of the command, once', async () => {
    const launcher = join(folder, '0.1.0/bin/footnote-server.mjs');
    expect(await fetched()).toBe(launcher);
    expect(readFileSync(launcher, 'utf8')).toBe('// published');
    expect(existsSync(join(folder, '0.1.0/node_modules/installed'))).toBe(true);
    expect(npm.calls()).toEqual([
      expect.stringMatching(/^pack @footnote-search\/server@0\.1\.0 .*--ignore-scripts /),
      expect.stringMatching(/^ci --omit=dev --include=optional .*--ignore-scripts /),
    ]);
    expect(await fetched()).toBe(launcher);
    expect([npm.calls().length, notes.length, readdirSync(folder)]).toEqual([2, 1, ['0.1.0']]);
  });

  it('installs a tarball without a registry, and again when its content changed', async () => {
    const tarball = file('a.tgz', serverTarball('// one'));
    const first = await fetched(tarball);
    expect(await fetched(tarball)).toBe(first);
    file('a.tgz', serverTarball('// two'));
    const second = await fetched(tarball);
    expect(second).not.toBe(first);
    expect(readFileSync(first, 'utf8')).toBe('// one');
    expect(npm.calls().map((call) => call.split(' ')[0])).toEqual(['ci', 'ci']);
  });

  it('installs a specifier in place of the own version', async () => {
    npm.publish(serverTarball('', { name: '@footnote-search/server', version: '0.2.0' }));
    expect(await fetched('@ours/server@0.2.0')).toMatch(/custom-[0-9a-f]{16}.bin/);
    expect(npm.calls()[0]).toMatch(/^pack @ours\/server@0\.2\.0 /);
  });

  it.each(['missing.tgz', '--workspace@1', 'a@1; rm', 'a b@1', 'owner/repo', 'file:x', ''])(
    'rejects %j as a server',
    async (server) => {
      const message = `--server must be a file or an npm specifier (got "${server}")`;
      await expect(fetched(server)).rejects.toThrow(message);
      expect(npm.calls()).toEqual([]);
    },
  );

  it.each([
    ['E404', 'notFound', /has no such server package; name a tarball/],
    ['ETARGET', 'notFound', /has no such server package/],
    ['ENOTFOUND', 'unavailable', /registry is unreachable \(ENOTFOUND\); retry/],
    ['EAI_AGAIN', 'unavailable', /registry is unreachable \(EAI_AGAIN\)/],
    ['EINTEGRITY', 'unavailable', /^npm failed \(EINTEGRITY\): npm error code EINTEGRITY/],
  ])('explains %s of npm, leaves nothing, and succeeds when repeated', async (code, exit, text) => {
    npm.fail(code);
    expect(await problem()).toEqual([exit, expect.stringMatching(text)]);
    expect(readdirSync(folder)).toEqual([]);
    npm.fail('');
    expect(await fetched()).toContain('0.1.0');
  });

  it('explains that npm is missing', async () => {
    replaceSearchPath(join(scratch.path, 'empty'));
    expect(await problem()).toEqual(['unavailable', expect.stringMatching(/^npm was not found/)]);
  });

  it('stops npm and leaves nothing when it is interrupted', async () => {
    npm.fail('hangs');
    const interrupted = new AbortController();
    const fetching = fetched(undefined, interrupted.signal);
    const outcome = expect(fetching).rejects.toThrow('stop');
    while (npm.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    interrupted.abort(new Error('stop'));
    await outcome;
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes what killed fetches left, after an hour', async () => {
    for (const name of ['.new-old', '.new-young'])
      mkdirSync(join(folder, name), { recursive: true });
    const before = new Date(Date.now() - 2 * 60 * 60_000);
    utimesSync(join(folder, '.new-old'), before, before);
    await fetched();
    expect(readdirSync(folder).sort()).toEqual(['.new-young', '0.1.0']);
  });

  it('keeps the first of two servers that are fetched at the same time', async () => {
    expect(new Set(await Promise.all([fetched(), fetched()])).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['0.1.0']);
  });

  it.each([
    ['another package', { name: 'footnote', version: '0.1.0' }],
    ['another version', { name: '@footnote-search/server', version: '9.9.9' }],
    ['a package without a name', {}],
  ])('rejects %s', async (_, manifest) => {
    npm.publish(serverTarball('', manifest));
    expect(await problem()).toEqual([
      'unavailable',
      expect.stringMatching(/^The server package must be @footnote-search\/server 0\.1\.0 \(got /),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<readonly [string, TarEntry]>([
    ['a path above', { name: 'package/../../out' }],
    ['an absolute path', { name: '/etc/out' }],
    ['a path without a folder', { name: 'out' }],
    ['a backslash', { name: 'package/..\\out' }],
    ['a symbolic link', { name: 'package/link', type: '2', target: '/etc' }],
    ['a hard link', { name: 'package/link', type: '1', target: '/etc/passwd' }],
    ['a device', { name: 'package/device', type: '3' }],
    ['more bytes than the limit', { name: 'package/x', size: 1024 ** 3 + 1 }],
  ])('rejects a tarball with %s', async (_, entry) => {
    const tarball = file('hostile.tgz', tarGz([entry]));
    expect(await problem(tarball)).toEqual([
      'unavailable',
      expect.stringMatching(/^The tarball of the server cannot be unpacked: it /),
    ]);
    expect([readdirSync(folder), existsSync(join(scratch.path, 'out'))]).toEqual([[], false]);
  });

  it.each([
    ['no gzip', Buffer.from('text')],
    ['a truncated archive', serverTarball().subarray(0, 60)],
  ])('rejects %s', async (_, content) => {
    expect(await problem(file('broken.tgz', content))).toEqual([
      'unavailable',
      expect.stringMatching(/cannot be unpacked/),
    ]);
  });
});
