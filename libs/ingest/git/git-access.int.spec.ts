import { execFileSync } from 'node:child_process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createFetchers, fetcherFor, type FetchRequest } from '#ingest';
import { FIRST_TENANT_ID, loadConfig } from '#platform';
import { GitHttpServer } from '#test/support/git-http-server';
import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

import { openGitAccess } from './git-access.js';

const OTHER = '01890000-0000-7000-8000-00000000000a';
const TOKEN = `Basic ${Buffer.from('x-access-token:s3cret').toString('base64')}`;

describe('the token of the operator', () => {
  const folder = tempDir();
  const seen: (string | undefined)[] = [];
  const server = new GitHttpServer(folder.path, (request, response) => {
    seen.push(request.headers.authorization);
    if (request.headers.authorization === TOKEN) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  });
  let base: string;
  beforeAll(async () => {
    TestRepository.create(`${folder.path}/private`, { 'a.txt': 'secret' });
    base = await server.listen();
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  async function read(tenantId: string, variables: Record<string, string> = {}): Promise<string[]> {
    const config = loadConfig(
      {
        GITHUB_TOKEN: 's3cret',
        GITHUB_GIT_URL: base,
        ALLOW_PRIVATE_NETWORKS: 'true',
        ...variables,
      },
      folder.path,
    );
    const request: FetchRequest = {
      tenantId,
      definition: {
        source_type: 'repo',
        url: `${base}/private/.git`,
        include_patterns: [],
        exclude_patterns: [],
      },
      directory: `${folder.path}/scratch-${tenantId}`,
      recipe: 'r1',
      limits: config.limits,
      network: config.network,
      signal: new AbortController().signal,
      timeoutMs: 20_000,
    };
    seen.length = 0;
    const version = await fetcherFor(
      createFetchers(config, { get: () => Promise.reject(new Error('nothing is uploaded')) }),
      request.definition,
    ).resolve(request);
    const snapshot = await version.open([]);
    await snapshot.close();
    return snapshot.documents.map(({ path }) => path);
  }

  it('is used only for the sources of the named tenants', async () => {
    expect(await read(OTHER, { GITHUB_TOKEN_TENANTS: OTHER })).toEqual(['a.txt']);
    await expect(read(FIRST_TENANT_ID, { GITHUB_TOKEN_TENANTS: OTHER })).rejects.toThrow(
      'needs credentials',
    );
    expect(seen).toEqual([undefined]);
  });

  it('is used for the first tenant of a sole process if no tenant is named', async () => {
    expect(await read(FIRST_TENANT_ID)).toEqual(['a.txt']);
    await expect(read(OTHER)).rejects.toThrow('needs credentials');
    expect(seen).toEqual([undefined]);
  });
});

describe('ssh', () => {
  const identities = async (ssh?: { identityFile: string }) => {
    const { environment } = await openGitAccess({
      url: 'ssh://git@127.0.0.1/private.git',
      allowPrivateNetworks: true,
      timeoutMs: 1_000,
      fileUrls: { below: [], except: '/data' },
      ...(ssh && { ssh }),
    });
    // -G prints what ssh would do, and does nothing.
    const settings = execFileSync('sh', ['-c', `${environment['GIT_SSH_COMMAND']} -G 127.0.0.1`], {
      stdio: 'pipe',
    }).toString();
    return settings.split('\n').filter((line) => /^identit(?:yfile|yagent|iesonly) /.test(line));
  };

  it("offers neither keys of the service's user nor of an agent", async () => {
    expect((await identities()).toSorted()).toEqual([
      'identitiesonly yes',
      'identityagent none',
      'identityfile none',
    ]);
  });

  it('offers only the given key', async () => {
    expect(await identities({ identityFile: '/keys/one' })).toContain('identityfile /keys/one');
    expect(await identities({ identityFile: '/keys/one' })).toHaveLength(3);
  });
});
