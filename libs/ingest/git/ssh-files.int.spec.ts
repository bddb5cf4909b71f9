import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

import { afterAll, describe, expect, it } from '@jest/globals';

import { loadConfig } from '#platform';
import { tempDir } from '#test/support/temp-dir';

import { openGitAccess } from './git-access.js';
import { createGitFetcher } from './git-fetcher.js';
import { removeStrayKeys, withSshKey } from './ssh-files.js';

const KEY =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nnot really one\n-----END OPENSSH PRIVATE KEY-----\n';
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the file of an ssh key', () => {
  const folder = tempDir();
  afterAll(() => folder.remove());

  it('is readable only by its owner while commands run, and removed however they end', async () => {
    const scratch = `${folder.path}/one`;
    const seen = await withSshKey(scratch, KEY, async ({ identityFile }) => {
      return [
        identityFile,
        readFileSync(identityFile, 'utf8'),
        mode(identityFile),
        mode(`${scratch}.ssh`),
      ];
    });
    const [file = '', ...about] = seen;
    expect(about).toEqual([KEY, '600', '700']);
    expect(existsSync(file)).toBe(false);
    const failing = withSshKey(scratch, KEY, () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
    expect(existsSync(file)).toBe(false);
  });

  it('of a killed process is replaced, or removed at the next start', async () => {
    const scratch = `${folder.path}/two`;
    mkdirSync(`${scratch}.ssh`);
    writeFileSync(`${scratch}.ssh/key`, 'old', { mode: 0o644 });
    await withSshKey(scratch, KEY, async ({ identityFile }) =>
      expect(mode(identityFile)).toBe('600'),
    );
    writeFileSync(`${scratch}.ssh/key`, 'old');
    writeFileSync(`${scratch}.ssh/known_hosts`, 'kept');
    await removeStrayKeys(folder.path);
    expect(existsSync(`${scratch}.ssh/key`)).toBe(false);
    expect(existsSync(`${scratch}.ssh/known_hosts`)).toBe(true);
    await removeStrayKeys(`${folder.path}/not-there`);
  });

  it('does not remain anywhere when a host does not respond as an ssh server', async () => {
    const scratch = `${folder.path}/three`;
    const during: string[] = [];
    const server = createServer((socket) => {
      during.push(
        `${mode(`${scratch}.ssh/key`)} ${readFileSync(`${scratch}.ssh/key`, 'utf8') === KEY}`,
      );
      // Without a reader it remains half open after the client closes it.
      socket.resume().end('SSH-2.0-none\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { limits, network } = loadConfig({ ALLOW_PRIVATE_NETWORKS: 'true' }, '/nonexistent');
    const url = `ssh://git@127.0.0.1:${(server.address() as AddressInfo).port}/acme/site.git`;
    const resolving = createGitFetcher().resolve({
      tenantId: 't',
      definition: {
        source_type: 'repo',
        url,
        branch: 'main',
        include_patterns: [],
        exclude_patterns: [],
      },
      credentials: { ssh_key: KEY },
      recipe: 'r1',
      directory: scratch,
      limits,
      network,
      signal: new AbortController().signal,
      timeoutMs: 20_000,
    });
    await expect(resolving).rejects.toThrow(url);
    server.close();
    expect(during).toEqual(['600 true']);
    expect(existsSync(`${scratch}.ssh/key`)).toBe(false);
  });
});

describe('the host key that ssh accepts', () => {
  const settingsOf = async (ssh: {
    knownHostsFile?: string;
    acceptNewHost?: boolean;
    identityFile?: string;
  }) => {
    const { environment } = await openGitAccess({
      url: 'ssh://git@127.0.0.1/private.git',
      allowPrivateNetworks: true,
      timeoutMs: 1_000,
      fileUrls: { below: [], except: '/data' },
      ssh,
    });
    // -G prints what ssh would do, and does nothing.
    const command = `${environment['GIT_SSH_COMMAND']} -G 127.0.0.1`;
    const settings = execFileSync('sh', ['-c', command], { stdio: 'pipe' }).toString().split('\n');
    return settings
      .filter((line) =>
        /^(stricthostkeychecking|userknownhostsfile|globalknownhostsfile|checkhostip|updatehostkeys) /.test(
          line,
        ),
      )
      .sort();
  };
  const nothingElse = ['checkhostip no', 'globalknownhostsfile /dev/null'];

  it("is the first one of a source's host, in a file of that source", async () => {
    expect(
      await settingsOf({ knownHostsFile: '/scratch/known_hosts', acceptNewHost: true }),
    ).toEqual([
      ...nothingElse,
      'stricthostkeychecking accept-new',
      'updatehostkeys false',
      'userknownhostsfile /scratch/known_hosts',
    ]);
  });

  it("is one of the operator's list if it exists; without a list or a file ssh accepts no host", async () => {
    expect(await settingsOf({ knownHostsFile: '/etc/known_hosts' })).toEqual([
      ...nothingElse,
      'stricthostkeychecking true',
      'updatehostkeys false',
      'userknownhostsfile /etc/known_hosts',
    ]);
    expect(await settingsOf({})).toContain('userknownhostsfile /dev/null');
  });
});
