import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { collectBlobs } from './collect-blobs.js';

const LATER = Date.now() + 48 * 3_600_000;

describe('collection of blobs', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
  });
  afterEach(() => harness.close());

  const names = async () => {
    const all: string[] = [];
    for await (const { hash } of harness.blobs.list()) all.push(hash);
    return all;
  };

  it('keeps what is marked and what is young', async () => {
    const [kept, gone] = await Promise.all([
      harness.blobs.put(Buffer.from('kept')),
      harness.blobs.put(Buffer.from('gone')),
    ]);
    const options = { blobs: harness.blobs, marked: new Set([kept]), mayContinue: () => true };
    expect(await collectBlobs({ ...options, before: Date.now() - 60_000 })).toEqual({ removed: 0, bytes: 0 });
    expect(await collectBlobs({ ...options, before: LATER })).toEqual({ removed: 1, bytes: 4 });
    expect(await harness.blobs.has(gone)).toBe(false);
  });

  it('stops when it is told to', async () => {
    await harness.blobs.put(Buffer.from('gone'));
    const options = { blobs: harness.blobs, marked: new Set<string>(), before: LATER, mayContinue: () => false };
    expect(await collectBlobs(options)).toEqual({ removed: 0, bytes: 0 });
  });

  it('leaves the live generation whole and takes the artifacts of ended jobs', async () => {
    const repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const a = 1;\n',
    });
    await harness.start({ now: () => new Date(LATER) });
    const source = await harness.registerSource('t1', repository.url);
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error('the sync failed');
    const before = await names();
    await harness.until(async () => ((await harness.pipeline?.collect())?.removed ? true : null), 'the collection');
    const after = await names();
    expect(after.length).toBe(2);
    expect(before.length).toBeGreaterThan(after.length);
    expect(await harness.index.chunksOf(job.published.manifest)).toHaveLength(1);
  });
});
