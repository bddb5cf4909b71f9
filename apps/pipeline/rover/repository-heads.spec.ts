import { describe, expect, it } from '@jest/globals';

import { HostFailure } from '#ingest/github/host-failure';
import { loadConfig } from '#platform';

import { RepositoryHeads, type RepositoryHeadsDependencies } from './repository-heads.js';

const COMMIT = 'c'.repeat(40);

interface Fakes {
  /** KiB by repository; the host describes no others. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Repositories whose steps have ended. */
  readonly ended?: readonly string[];
  /** Present names of repositories that were renamed. */
  readonly renamed?: Readonly<Record<string, string>>;
}

function headsOver({ sizes = {}, ended = [], renamed = {} }: Fakes) {
  const described: string[] = [];
  const resolved: string[] = [];
  const { limits } = loadConfig({ DATA_DIR: '/' }, '/');
  const steps = ended.map((repo) => ({ kind: 'read', repo, status: 'completed' }));
  const heads = new RepositoryHeads({
    tenantId: 'tenant',
    lease: { job: { steps } },
    descriptions: {
      describe: (repo: string) => {
        described.push(repo);
        const sizeKib = sizes[repo];
        if (sizeKib !== undefined) return Promise.resolve({ repo: renamed[repo] ?? repo, sizeKib });
        return Promise.reject(new HostFailure('github_unavailable', 'No answer'));
      },
    },
    fetchers: {
      repo: {
        resolve: ({ definition }: { readonly definition: { readonly url: string } }) => {
          resolved.push(definition.url);
          return Promise.resolve({ ref: COMMIT });
        },
      },
    },
    fetchOptions: { limits },
    urlOf: (repo: string) => `https://host.example/${repo}`,
    signal: new AbortController().signal,
  } as unknown as RepositoryHeadsDependencies);
  return { heads, described, resolved };
}

const unsized = (...repos: readonly string[]) => repos.map((repo) => ({ repo, sizeKib: null }));
const namesOf = (all: readonly { readonly repo: string }[]) => all.map(({ repo }) => repo);

describe('the heads of repositories', () => {
  it('begins with the smallest repository, and ends with those of unknown sizes', async () => {
    const sizes = { 'a/large': 900, 'a/small': 3, 'a/middle': 40 };
    const { heads, described } = headsOver({ sizes });
    const given = unsized('x/unknown', 'a/large', 'a/small', 'y/unknown', 'a/middle');
    const order = await heads.inReadingOrder(given);
    const wanted = ['a/small', 'a/middle', 'a/large', 'x/unknown', 'y/unknown'];
    expect(namesOf(order)).toEqual(wanted);
    expect(namesOf(await heads.inReadingOrder(given))).toEqual(wanted);
    expect(described).toHaveLength(given.length);
  });

  it('describes nothing if at most one repository is left to read', async () => {
    const { heads, described } = headsOver({ ended: ['a/first'] });
    const order = await heads.inReadingOrder(unsized('a/first', 'a/second'));
    expect(namesOf(order)).toEqual(['a/first', 'a/second']);
    expect(described).toEqual([]);
  });

  it('gives a renamed repository its new name, and resolves it once', async () => {
    const { heads, resolved } = headsOver({
      sizes: { 'old/name': 5 },
      renamed: { 'old/name': 'new/name' },
    });
    const [chosen] = unsized('old/name');
    if (!chosen) throw new Error('No repository was chosen');
    const head = { repo: 'new/name', commit: COMMIT };
    expect(await heads.headOf(chosen)).toEqual(head);
    expect(await heads.headOf(chosen)).toEqual(head);
    expect(resolved).toEqual(['https://host.example/new/name']);
  });

  it('keeps the given letters of a name that was not renamed', async () => {
    const { heads } = headsOver({
      sizes: { 'Pallets/Flask': 5 },
      renamed: { 'Pallets/Flask': 'pallets/flask' },
    });
    const described = await heads.describe({ repo: 'Pallets/Flask', sizeKib: null });
    expect(described).toEqual({ repo: 'Pallets/Flask', sizeKib: 5 });
  });

  it('keeps the given name if the host describes nothing', async () => {
    const { heads } = headsOver({});
    const [chosen] = unsized('x/unknown');
    if (!chosen) throw new Error('No repository was chosen');
    expect(await heads.headOf(chosen)).toEqual({ repo: 'x/unknown', commit: COMMIT });
  });
});
