import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { CompletedJob } from '#domain';
import { findContentGap } from '#search-index';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

const FILES = {
  'a.ts': 'export const a = 1;\n',
  'b.ts': 'export const b = 2;\n',
  'c.ts': 'export const c = 3;\n',
};

describe('a sync of a source whose content is lost', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let source: string;
  let repositories = 0;
  beforeAll(async () => {
    harness = await PipelineHarness.open();
    await harness.start();
  });
  beforeEach(async () => {
    repositories += 1;
    repository = TestRepository.create(
      `${harness.directory.path}/repository-${repositories}`,
      FILES,
    );
    source = await harness.registerSource('t1', repository.url);
  });
  afterAll(() => harness.close());

  async function synced(): Promise<CompletedJob> {
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error(`The sync ended as ${JSON.stringify(job)}`);
    return job;
  }

  async function manifestOf({ published }: CompletedJob): Promise<Manifest> {
    return JSON.parse(
      Buffer.from(await harness.blobs.get(published.manifest)).toString(),
    ) as Manifest;
  }

  /** A first generation of three chunks in a pack, and a second that adds a pack with a fourth. */
  async function syncedInTwoPacks(): Promise<{ job: CompletedJob; packs: readonly string[] }> {
    await synced();
    repository.commit({ 'd.ts': 'export const d = 4;\n' });
    const job = await synced();
    const { packs } = await manifestOf(job);
    expect(packs).toHaveLength(2);
    return { job, packs: packs.map(({ hash }) => hash) };
  }

  /**
   * Completed by a generation of its own that holds everything, made of nothing that was there
   * before.
   */
  async function expectHealed(
    job: CompletedJob,
    generation: number,
    chunks: number,
  ): Promise<void> {
    const zeros = { chunks_updated: 0, chunks_deleted: 0 };
    expect(job.counters).toMatchObject({
      ...zeros,
      files_processed: chunks,
      chunks_created: chunks,
    });
    expect(job.published.generation).toBe(generation);
    expect(
      await findContentGap(harness.blobs, job.published.manifest, { packs: 'read' }),
    ).toBeNull();
    expect(
      (await harness.index.chunksOf(job.published.manifest)).map(({ path }) => path).sort(),
    ).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts'].slice(0, chunks));
  }

  it('reads everything again where all blobs are gone, although nothing changed', async () => {
    await synced();
    for await (const { hash } of harness.blobs.list()) await harness.blobs.delete(hash);
    await expectHealed(await synced(), 2, 3);
  });

  it('reads everything again where the manifest alone is gone', async () => {
    await harness.blobs.delete((await synced()).published.manifest);
    await expectHealed(await synced(), 2, 3);
  });

  it.each([0, 1])('reads everything again where pack %i of two is gone', async (lost) => {
    const { packs } = await syncedInTwoPacks();
    await harness.blobs.delete(packs[lost] as string);
    await expectHealed(await synced(), 3, 4);
  });

  it('builds nothing on a pack that is damaged, and counts every chunk as created', async () => {
    const { packs } = await syncedInTwoPacks();
    damage(packs[0] as string);
    repository.commit({ 'a.ts': 'export const a = 10;\n' });
    await expectHealed(await synced(), 3, 4);
  });

  it('builds nothing on a manifest that is damaged', async () => {
    damage((await synced()).published.manifest);
    await expectHealed(await synced(), 2, 3);
  });

  it('reads everything again where damaged content was found that nobody needs to read', async () => {
    const { packs } = await syncedInTwoPacks();
    damage(packs[0] as string);
    expect((await synced()).published.generation).toBe(2);
    harness.index.noted = 'Content of this source is missing: 1 of 2 packs of generation 2.';
    const job = await synced();
    harness.index.noted = null;
    await expectHealed(job, 4, 4);
  });

  it('is incremental again afterwards', async () => {
    await harness.blobs.delete((await synced()).published.manifest);
    await synced();
    expect((await synced()).published.generation).toBe(2);
    repository.commit({ 'b.ts': 'export const b = 20;\n' });
    expect((await synced()).counters).toMatchObject({
      files_processed: 1,
      chunks_created: 0,
      chunks_updated: 1,
    });
  });

  function damage(hash: string): void {
    writeFileSync(`${harness.directory.path}/blobs/${hash.slice(0, 2)}/${hash}`, 'damaged');
  }
});
