import { afterEach, describe, expect, it } from '@jest/globals';

import { type Clock, loadConfig } from '#platform';
import { HOSTED, repositoryHostContract } from '#test/contracts/repository-host.contract';
import {
  described,
  GitHubServer,
  type GitHubServerOptions,
} from '#test/support/github/github-server';
import { MemoryRepositoryHost } from '#test/support/github/memory-repository-host';

import { createGitHubHost } from './create-github-host.js';

const TOKEN = 'ghp_secret';
const OWN = { tenantId: '00000000-0000-4000-8000-000000000001', waitMs: 600_000 };
const OTHER = { tenantId: '00000000-0000-4000-8000-000000000002', waitMs: 600_000 };
const FLASK = '/repos/pallets/flask';

/** A host over a server, with time that passes only while the host waits. */
async function open(
  options: Partial<GitHubServerOptions> & { readonly token?: string | undefined } = {},
) {
  let now = Date.UTC(2026, 0, 1);
  const waits: number[] = [];
  const clock: Clock = { now: () => new Date(now), monotonic: () => now };
  const server = new GitHubServer({ clock, repositories: HOSTED, ...options });
  const apiUrl = await server.start();
  const token = 'token' in options ? options.token : TOKEN;
  const config = loadConfig(
    {
      DATA_DIR: '/',
      GITHUB_API_URL: apiUrl,
      GITHUB_TOKEN_TENANTS: OWN.tenantId,
      ...(token === undefined ? {} : { GITHUB_TOKEN: token }),
    },
    '/',
  );
  const client = createGitHubHost({
    config,
    clock,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
      return Promise.resolve(true);
    },
  });
  const close = async (): Promise<void> => {
    await client.close();
    await server.stop();
  };
  const pass = (milliseconds: number): void => void (now += milliseconds);
  return { host: client.host, server, waits, close, pass, clock, apiUrl };
}

repositoryHostContract('GitHub', () => open());
repositoryHostContract('memory', () =>
  Promise.resolve({ host: new MemoryRepositoryHost(HOSTED), close: () => Promise.resolve() }),
);

describe('GitHubHost', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  const start = async (options: Parameters<typeof open>[0] = {}) => (opened = await open(options));
  afterEach(() => opened.close());
  const statuses = () => opened.server.log.map(({ status }) => status);

  it('never exceeds a limit: it waits for the reset when nothing remains', async () => {
    const { host, server, waits } = await start({ limits: { core: 5, search: 3 } });
    for (let at = 0; at < 10; at += 1) await host.search(`word${at}`, OWN);
    for (let at = 0; at < 12; at += 1)
      await host.describe(`no/body${at}`, { ...OWN, waitMs: 4_000_000 }).catch(() => undefined);
    expect(server.exceeded).toBe(0);
    expect(server.log).toHaveLength(22);
    expect(waits).toHaveLength(5);
  });

  it('sends one request at a time for each token, in turns of the tenants', async () => {
    const { host, server } = await start({ token: undefined });
    const names = ['a', 'a', 'a', 'b'];
    await Promise.all(
      names.map((tenantId, at) => host.search(`${tenantId} ${at}`, { ...OWN, tenantId })),
    );
    expect(server.log.some(({ isConcurrent }) => isConcurrent)).toBe(false);
    expect(server.log.map(({ path }) => /q=(\w)/.exec(path)?.[1])).toEqual(['a', 'b', 'a', 'a']);
  });

  it('sends the token for its tenants alone', async () => {
    const { host, server } = await start();
    await host.describe('pallets/flask', OWN);
    await host.describe('pallets/flask', OTHER);
    expect(server.log.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${TOKEN}`,
      undefined,
    ]);
  });

  it('uses an answer for a minute, then its ETag of the same token', async () => {
    const { host, pass } = await start();
    for (let turn = 0; turn < 2; turn += 1) await host.describe('pallets/flask', OWN);
    expect(statuses()).toEqual([200]);
    pass(61_000);
    expect(await host.describe('pallets/flask', OWN)).toEqual(HOSTED[0]);
    await host.describe('pallets/flask', OTHER);
    expect(statuses()).toEqual([200, 304, 200]);
  });

  it.each([
    ['Retry-After', { status: 429, headers: { 'retry-after': '7' } }, [7_000]],
    [
      'the reset',
      {
        status: 403,
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) / 1_000 + 30),
        },
      },
      [31_000],
    ],
    [
      'a minute',
      { status: 403, body: { message: 'You exceeded a secondary rate limit' } },
      [60_000],
    ],
  ])('waits for %s after a rejection', async (_, answer, expected) => {
    const { host, server, waits } = await start();
    server.prescribe(FLASK, answer);
    expect(await host.describe('pallets/flask', OWN)).toEqual(HOSTED[0]);
    expect(waits).toEqual(expected);
  });

  it('doubles the wait without headers, and ends after four rejections', async () => {
    const { host, server, waits } = await start({ hasHeaders: false });
    server.prescribe(FLASK, ...Array.from({ length: 4 }, () => ({ status: 429 })));
    await expect(host.describe('pallets/flask', OWN)).rejects.toMatchObject({
      reason: 'github_rate_limited',
    });
    expect(waits).toEqual([60_000, 120_000, 240_000]);
  });

  it('ends at once if the limit resets beyond the budget, and sends nothing until then', async () => {
    const { host, server, waits } = await start();
    server.prescribe(FLASK, { status: 429, headers: { 'retry-after': '90' } });
    const hasty = { ...OWN, waitMs: 1_000 };
    for (let turn = 0; turn < 2; turn += 1)
      await expect(host.describe('pallets/flask', hasty)).rejects.toMatchObject({
        reason: 'github_rate_limited',
        retryAfterMs: 90_000,
      });
    expect(statuses()).toEqual([429]);
    expect(waits).toEqual([]);
    expect((await host.search('flask', hasty)).repositories).toHaveLength(1);
  });

  it('follows a rename within the origin, and returns the new name', async () => {
    const { host, server, apiUrl } = await start();
    server.prescribe('/repos/old/name', {
      status: 301,
      headers: { location: `${apiUrl}/repos/pallets/flask` },
    });
    expect((await host.describe('old/name', OWN)).repo).toBe('pallets/flask');
  });

  it('follows no redirect to another origin', async () => {
    const { host, server } = await start();
    const elsewhere = await open();
    const location = `${elsewhere.apiUrl}${FLASK}`;
    server.prescribe(
      FLASK,
      ...Array.from({ length: 4 }, () => ({ status: 301, headers: { location } })),
    );
    await expect(host.describe('pallets/flask', OWN)).rejects.toMatchObject({
      reason: 'github_unavailable',
    });
    expect(elsewhere.server.log).toEqual([]);
    await elsewhere.close();
  });

  it.each([
    [404, {}, 'repository_not_found'],
    [451, {}, 'repository_unavailable'],
    [403, { message: 'Repository access blocked' }, 'repository_unavailable'],
    [401, {}, 'github_unavailable'],
    [200, { full_name: '../x', default_branch: 'm' }, 'github_unavailable'],
    [200, [], 'github_unavailable'],
    [
      200,
      { ...described(HOSTED[0] as (typeof HOSTED)[number]), disabled: true },
      'repository_unavailable',
    ],
  ])('reports status %s with %j as %s', async (status, body, reason) => {
    const { host, server } = await start();
    server.prescribe(FLASK, { status, body });
    await expect(host.describe('pallets/flask', OWN)).rejects.toMatchObject({ reason });
    expect(statuses()).toEqual([status]);
  });

  it('retries a failing server, and gives up after four requests', async () => {
    const { host, server, waits } = await start();
    server.prescribe(FLASK, { status: 502 }, { status: 503 });
    expect(await host.describe('pallets/flask', OWN)).toEqual(HOSTED[0]);
    expect(waits).toEqual([1_000, 2_000]);
    server.prescribe('/repos/a/b', ...Array.from({ length: 9 }, () => ({ status: 500 })));
    await expect(host.describe('a/b', OWN)).rejects.toMatchObject({ reason: 'github_unavailable' });
    expect(statuses()).toHaveLength(3 + 4);
  });

  it('ends a request to a silent server when its signal aborts', async () => {
    const { host, server } = await start();
    server.prescribe(FLASK, { status: 200, isSilent: true });
    const controller = new AbortController();
    const asked = host.describe('pallets/flask', { ...OWN, signal: controller.signal });
    const settled = expect(asked).rejects.toThrow('cancelled');
    while (server.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('cancelled'));
    await settled;
  });

  it.each(['../x', 'a/..', 'a/b/c', 'a', 'a/b?x=1', 'a b/c'])(
    'sends no request for the name %s',
    async (name) => {
      const { host, server } = await start();
      await expect(host.describe(name, OWN)).rejects.toMatchObject({
        reason: 'repository_not_found',
      });
      expect(server.log).toEqual([]);
    },
  );

  it('rejects queries beyond the limit of the host', async () => {
    const { host } = await start();
    await expect(host.search('x'.repeat(257), OWN)).rejects.toThrow(
      'query must have 1 to 256 characters (got 257)',
    );
    expect((await host.search('x'.repeat(256), OWN)).repositories).toEqual([]);
  });
});
