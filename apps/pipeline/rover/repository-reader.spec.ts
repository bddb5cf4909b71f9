import { describe, expect, it } from '@jest/globals';

import { RepositoryReader, type RepositoryReaderDependencies } from './repository-reader.js';
import type { SyncProgress } from './research-sources.js';

const ATTEMPT = { stepId: 'step', attempt: 2 };
const REVISION = { tenantId: 'tenant', repo: 'ring/ring', commit: 'c'.repeat(40) };
const SOURCE = { sourceId: 'source', generation: 1, manifest: 'm', files: 9, chunks: 30 };

/** A reader of a job with that much of 60 s left, over syncs that never end. */
function readerWith(remainingMs: number) {
  const prepared: string[] = [];
  const reader = new RepositoryReader({
    tenantId: REVISION.tenantId,
    lease: {
      job: { budget: { seconds: 60 }, repos: [], attached: [], steps: [] },
      write: () => Promise.resolve(),
    },
    steps: { remainingMs },
    heads: {
      describe: (chosen: object) => Promise.resolve(chosen),
      headOf: ({ repo }: { readonly repo: string }) =>
        Promise.resolve({ repo, commit: REVISION.commit }),
    },
    sources: {
      register: () => Promise.resolve(SOURCE.sourceId),
      prepare: ({ repo }: { readonly repo: string }) => Promise.resolve(prepared.push(repo)),
      read: (_: string, __: string, signal: AbortSignal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    own: { find: () => Promise.resolve(null), serves: () => Promise.resolve(false) },
    clock: { now: () => new Date(0), monotonic: () => 0 },
    signal: new AbortController().signal,
  } as unknown as RepositoryReaderDependencies);
  return { reader, prepared };
}

/** Reads a repository whose sync reports `looks`. @returns the reports of the step. */
async function reported(looks: readonly [ms: number, files: number, chunks: number][]) {
  const written: { readonly type: string; readonly data: object }[] = [];
  let now = 0;
  const sync = async (onProgress?: SyncProgress) => {
    for (const [ms, files_processed, chunks_created] of looks) {
      now = ms;
      await onProgress?.({ files_processed, chunks_created });
    }
    return SOURCE;
  };
  const reader = new RepositoryReader({
    tenantId: REVISION.tenantId,
    lease: {
      job: { budget: { seconds: 60 }, repos: [], attached: [], steps: [] },
      write: (command: (typeof written)[number]) => Promise.resolve(written.push(command)),
    },
    steps: { remainingMs: 60_000 },
    sources: {
      register: () => Promise.resolve(SOURCE.sourceId),
      read: (_: string, __: string, ___: AbortSignal, onProgress?: SyncProgress) =>
        sync(onProgress),
    },
    own: { find: () => Promise.resolve(null), serves: () => Promise.resolve(false) },
    blobs: { get: () => Promise.resolve(Buffer.from(JSON.stringify({ documents: [] }))) },
    clock: { now: () => new Date(0), monotonic: () => now },
    signal: new AbortController().signal,
  } as unknown as RepositoryReaderDependencies);
  const output = await reader.readTemporary(REVISION, ATTEMPT);
  expect(output).toMatchObject({ repo: REVISION.repo, files: 9, chunks: 30 });
  return written
    .filter(({ type }) => type === 'ReportRoverStep')
    .map(({ data }) => data as { readonly step_id: string; readonly details: object });
}

describe('the reading of a repository', () => {
  it('reports how far its sync is, at most every two seconds and only if it is further', async () => {
    const reports = await reported([
      [0, 0, 0],
      [1_999, 1, 0],
      [2_000, 2, 0],
      [3_000, 3, 4],
      [4_000, 3, 5],
      [6_000, 3, 5],
      [7_000, 3, 6],
    ]);
    expect(reports.map(({ details }) => details)).toEqual([
      { files: 2, chunks: 0 },
      { files: 3, chunks: 5 },
      { files: 3, chunks: 6 },
    ]);
    expect(reports[0]).toMatchObject({ step_id: 'step', attempt: 2 });
  });

  it('reports nothing of a sync that had ended', async () => {
    expect(await reported([])).toEqual([]);
  });

  it('begins the next sync while one runs, and only once', async () => {
    const { reader, prepared } = readerWith(60_000);
    const following = [
      { repo: 'a/c', sizeKib: 2 },
      { repo: 'a/d', sizeKib: 3 },
    ];
    await reader.prepare(following);
    await reader.prepare(following);
    expect(prepared).toEqual(['a/c']);
  });

  it('begins all syncs of unknown sizes, because one may be the smallest', async () => {
    const { reader, prepared } = readerWith(60_000);
    await reader.prepare(['a/c', 'a/d'].map((repo) => ({ repo, sizeKib: null })));
    expect(prepared).toEqual(['a/c', 'a/d']);
  });

  it('leaves a fifth of the budget for searches and the answer', async () => {
    const { reader } = readerWith(12_000);
    await expect(reader.read({ repo: 'a/b', sizeKib: 1 }, ATTEMPT)).rejects.toMatchObject({
      reason: 'budget_reached',
    });
  });
});
