import { describe, expect, it } from '@jest/globals';

import { HostFailure } from '#ingest/github/host-failure';

import { RepositoryHeads, type RepositoryHeadsDependencies } from './repository-heads.js';

interface Fakes {
  /** KiB by repository; the host describes no others. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Repositories whose steps have ended. */
  readonly ended?: readonly string[];
}

function headsOver({ sizes = {}, ended = [] }: Fakes) {
  const described: string[] = [];
  const steps = ended.map((repo) => ({ kind: 'read', repo, status: 'completed' }));
  const heads = new RepositoryHeads({
    tenantId: 'tenant',
    lease: { job: { steps } },
    descriptions: {
      describe: (repo: string) => {
        described.push(repo);
        const sizeKib = sizes[repo];
        if (sizeKib !== undefined) return Promise.resolve({ repo, sizeKib });
        return Promise.reject(new HostFailure('github_unavailable', 'No answer'));
      },
    },
    signal: new AbortController().signal,
  } as unknown as RepositoryHeadsDependencies);
  return { heads, described };
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
});
