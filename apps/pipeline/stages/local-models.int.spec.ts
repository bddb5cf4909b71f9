import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { JobState } from '#domain';
import { createLocalEmbedder, type Embedder, findLocalModel, localModel } from '#models';
import { quantize, weighTerms, WORD_HASHING } from '#retrieval';
import { readPack } from '#search-index';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { termModelFile } from '#test/support/term-model';

const TEXTS = ['erase the member\n', 'erase the account\n', 'paint the wall\n', 'paint the room\n'];
const FILES = Object.fromEntries(TEXTS.map((text, at) => [`f${at}.txt`, text]));

/**
 * Each step goes on from the one before it: a service that changes its local model while it has
 * content.
 */
describe('syncing after the local model has changed', () => {
  let harness: PipelineHarness;
  let source: string;
  let former: Manifest;

  beforeAll(async () => {
    harness = await PipelineHarness.open();
    const repository = TestRepository.create(`${harness.directory.path}/repository`, FILES);
    source = await harness.registerSource('t1', repository.url);
    await harness.start({ embedder: createLocalEmbedder({ id: WORD_HASHING.id }) });
    former = await synced();
  }, 60_000);
  afterAll(() => harness.close());

  const manifestOf = async (job: JobState): Promise<Manifest> => {
    if (job.status !== 'completed') throw new Error(`the sync ended as ${JSON.stringify(job)}`);
    return JSON.parse(
      Buffer.from(await harness.blobs.get(job.published.manifest)).toString(),
    ) as Manifest;
  };
  const synced = async (): Promise<Manifest> => manifestOf(await harness.sync('t1', source));
  const own = (texts: readonly string[]): Embedder => {
    const path = `${harness.directory.path}/own.bin`;
    writeFileSync(path, termModelFile(texts));
    const address = findLocalModel(path);
    if (!address) throw new Error('the file was not found');
    return createLocalEmbedder(address);
  };

  /** That the pack's vectors are those that the model gives here. */
  async function expectVectorsOf({ id, file }: Embedder, { packs }: Manifest): Promise<void> {
    const model = localModel({ id, file });
    const pack = readPack(await harness.blobs.get(packs[0]?.hash ?? ''));
    expect([packs.length, pack.tables.chunkCount]).toEqual([1, TEXTS.length]);
    for (let chunk = 0; chunk < pack.tables.chunkCount; chunk++) {
      const { terms, frequencies } = weighTerms(pack.chunk(chunk));
      const { q } = quantize(model.embed(terms, frequencies));
      const from = chunk * model.dimensions;
      expect([...pack.vectors.subarray(from, from + model.dimensions)]).toEqual([...q]);
    }
  }

  it('embeds unchanged content again in worker threads, as a new generation, once', async () => {
    expect(former.embedder).toEqual({ id: 'hash-ngram-v1', dimensions: 512 });
    const embedder = createLocalEmbedder({ id: 'meaning-v1' });
    await harness.restart({ embedder });
    const anew = await synced();
    expect(anew).toMatchObject({
      generation: former.generation + 1,
      version_ref: former.version_ref,
    });
    expect(anew.embedder).toEqual({ id: 'meaning-v1', dimensions: embedder.dimensions });
    await expectVectorsOf(embedder, anew);
    expect((await synced()).generation).toBe(anew.generation);
  });

  it("takes a team's own model, and embeds again when its file is another", async () => {
    const first = own(TEXTS);
    await harness.restart({ embedder: first });
    const by = await synced();
    expect(by.embedder).toEqual({ id: first.id, dimensions: first.dimensions });
    await expectVectorsOf(first, by);
    const second = own(TEXTS.slice(0, 2));
    await harness.restart({ embedder: second });
    const after = await synced();
    expect([after.generation, after.embedder.id]).toEqual([by.generation + 1, second.id]);
    expect(second.id).not.toBe(first.id);
    await expectVectorsOf(second, after);
  });

  it('makes no vectors of a file that was replaced under the process; after a restart the sync ends', async () => {
    const embedder = own(TEXTS.slice(0, 3));
    await harness.restart({ embedder });
    const replacement = own(TEXTS.slice(1));
    const jobId = await harness.requestSync('t1', source);
    const failed = async () =>
      (await harness.types(`job-${jobId}`)).includes('JobStageFailed') ? true : null;
    await harness.until(failed, 'a failure');
    expect(await harness.types(`job-${jobId}`)).not.toContain('JobStaged');
    await harness.restart({ embedder: replacement });
    const manifest = await manifestOf(await harness.ended(jobId));
    expect(manifest.embedder.id).toBe(replacement.id);
    await expectVectorsOf(replacement, manifest);
  });
});
