import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { Embedder } from '#models';
import { readPack } from '#search-index';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

/** A fake of a model behind the network; records its requests. */
function remoteModel(id = 'remote-1') {
  const asked: string[] = [];
  const embedder: Embedder = {
    id,
    dimensions: 3,
    local: false,
    embedPassages: async (inputs) => {
      asked.push(...inputs.map(({ path }) => path));
      return inputs.map(({ content }) => Float32Array.of(content.includes('alpha') ? 1 : 0, 0, 1));
    },
    embedQuery: async () => Float32Array.of(0, 0, 1),
  };
  return { embedder, asked };
}

describe('embedding with a model that lives elsewhere', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let source: string;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.txt': 'alpha\n',
      'b.txt': 'beta\n',
    });
    source = await harness.registerSource('t1', repository.url);
  });
  afterEach(() => harness.close());

  async function vectorsOf(manifestHash: string): Promise<number[][]> {
    const manifest = JSON.parse(
      Buffer.from(await harness.blobs.get(manifestHash)).toString(),
    ) as Manifest;
    const packs = await Promise.all(
      manifest.packs.map(async ({ hash }) => readPack(await harness.blobs.get(hash))),
    );
    return packs.flatMap(({ vectors, tables }) =>
      Array.from({ length: tables.chunkCount }, (_, chunk) => [
        ...vectors.subarray(chunk * 3, chunk * 3 + 3),
      ]),
    );
  }

  it('asks for the chunks of what was read, once each', async () => {
    const { embedder, asked } = remoteModel();
    await harness.start({ embedder });
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error('the sync failed');
    expect(asked.toSorted()).toEqual(['a.txt', 'b.txt']);
    const [alpha, beta] = await vectorsOf(job.published.manifest);
    expect(alpha?.[0]).toBeGreaterThan(0);
    expect(beta?.[0]).toBe(0);
    repository.commit({ 'b.txt': 'gamma\n' });
    await harness.sync('t1', source);
    expect(asked.slice(2)).toEqual(['b.txt']);
  });

  it('takes vectors over where files are read again and their chunks are the same', async () => {
    const { embedder, asked } = remoteModel();
    await harness.start({ embedder });
    await harness.sync('t1', source);
    await harness.commandSource('t1', source, {
      type: 'UpdateSource',
      data: {
        definition: {
          source_type: 'repo',
          url: repository.url,
          branch: 'main',
          include_patterns: ['*.txt'],
          exclude_patterns: [],
        },
      },
    });
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'completed',
      counters: { files_processed: 2 },
    });
    expect(asked).toHaveLength(2);
  });

  it('takes vectors over from the packs that are left where one is lost', async () => {
    const { embedder, asked } = remoteModel();
    await harness.start({ embedder });
    await harness.sync('t1', source);
    repository.commit({ 'c.txt': 'gamma\n' });
    const job = await harness.sync('t1', source);
    if (job.status !== 'completed') throw new Error('the sync failed');
    const manifest = JSON.parse(
      Buffer.from(await harness.blobs.get(job.published.manifest)).toString(),
    ) as Manifest;
    expect(manifest.packs).toHaveLength(2);
    await harness.blobs.delete(manifest.packs[1]?.hash ?? '');
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'completed',
      counters: { files_processed: 3 },
    });
    expect(asked.slice(2)).toEqual(['c.txt', 'c.txt']);
  });

  it('never indexes an invalid vector', async () => {
    const { embedder } = remoteModel();
    await harness.start({
      embedder: {
        ...embedder,
        embedPassages: async (inputs) => inputs.map(() => Float32Array.of(NaN, 0, 0)),
      },
    });
    const jobId = await harness.requestSync('t1', source);
    await harness.until(
      async () => ((await harness.types(`job-${jobId}`)).includes('JobStageFailed') ? true : null),
      'a failure',
    );
    expect(await harness.types(`job-${jobId}`)).not.toContain('JobStaged');
  });
});
