import { describe, expect, it } from '@jest/globals';

import { PinnedSources } from './pinned-sources.js';
import type { ReadOutput } from './repository-reader.js';
import { StepFailed } from './step-failure.js';

const ATTEMPT = { stepId: 'step', attempt: 1 };
const read = (repo: string, about: Partial<ReadOutput> = {}): ReadOutput => ({
  repo,
  commit: 'c'.repeat(40),
  sourceId: `source of ${repo}`,
  generation: 3,
  syncedAt: 0,
  files: 1,
  chunks: 1,
  manifest: 'm',
  manifests: [],
  ...about,
});
const OWN = read('ring/own', { origin: 'tenant' });
const OTHER = read('ring/other', { origin: 'tenant' });
const TEMPORARY = read('ring/temporary');
const ALL = [OWN, OTHER, TEMPORARY];

/** The pinned sources of a job, and the sources that are gone. */
function pinned(readAgain?: () => Promise<ReadOutput>) {
  const gone = new Set<string>();
  const readAgainOf: string[] = [];
  const sources = new PinnedSources({
    own: { serves: ({ sourceId }) => Promise.resolve(!gone.has(sourceId)) },
    readAgain: ({ repo }) => {
      readAgainOf.push(repo);
      return readAgain?.() ?? Promise.resolve(read(repo, { sourceId: `new source of ${repo}` }));
    },
  });
  const search = (onSearch?: () => void) =>
    sources.search(ALL, ATTEMPT, (reads) => {
      onSearch?.();
      return Promise.resolve(reads.map(({ sourceId }) => sourceId));
    });
  return { gone, readAgainOf, sources, search };
}

const before = ALL.map(({ sourceId }) => sourceId);
const after = ['new source of ring/own', OTHER.sourceId, TEMPORARY.sourceId];

describe('pinned sources', () => {
  it('are searched at the generation that was read while they are there', async () => {
    const { search, readAgainOf, sources } = pinned();
    expect(await search()).toEqual({ result: before });
    expect(readAgainOf).toEqual([]);
    expect(sources.now(OWN)).toBe(OWN);
  });

  it('are replaced by temporary ones if they are gone before a search', async () => {
    const { gone, search, readAgainOf, sources } = pinned();
    gone.add(OWN.sourceId);
    const { result, replaced } = await search();
    expect(result).toEqual(after);
    expect(Object.keys(replaced ?? {})).toEqual([OWN.repo]);
    expect(await search()).toEqual({ result: after });
    expect(readAgainOf).toEqual([OWN.repo]);
    const next = pinned();
    next.gone.add(OWN.sourceId);
    next.sources.load(replaced);
    expect(await next.search()).toEqual({ result: after });
    expect(next.sources.now(OWN)).toEqual(sources.now(OWN));
    expect(next.readAgainOf).toEqual([]);
  });

  it('are replaced, and searched again, if they go during the search', async () => {
    const { gone, search } = pinned();
    const going = [OWN.sourceId, OTHER.sourceId];
    const { result, replaced } = await search(() => {
      const next = going.shift();
      if (next !== undefined) gone.add(next);
    });
    expect(result).toEqual([
      'new source of ring/own',
      'new source of ring/other',
      TEMPORARY.sourceId,
    ]);
    expect(Object.keys(replaced ?? {})).toEqual([OWN.repo, OTHER.repo]);
  });

  it('are left out with the reason if they cannot be read again', async () => {
    const { gone, search, sources } = pinned(() =>
      Promise.reject(new StepFailed('budget_reached')),
    );
    gone.add(OWN.sourceId);
    const reason = { reason: 'budget_reached' };
    expect(await search()).toEqual({
      result: [OTHER.sourceId, TEMPORARY.sourceId],
      replaced: { [OWN.repo]: reason },
    });
    expect(sources.now(OWN)).toEqual(reason);
  });

  it('end the search with other errors', async () => {
    const { gone, search } = pinned(() => Promise.reject(new Error('The job was cancelled')));
    gone.add(OWN.sourceId);
    await expect(search()).rejects.toThrow('The job was cancelled');
  });
});
