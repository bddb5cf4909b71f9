import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { CompletedJob } from '#domain';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

const FILES = {
  'src/add.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/greet.py': 'def greet(name):\n    return "Hello " + name\n',
  'README.md': '# Fixture\n\nA small repository.\n\n## Usage\n\nCall add.\n',
  'logo.png': '\u0000binary',
  'package-lock.json': '{"lockfileVersion": 3}\n',
};

describe('pipeline: syncing a repository', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let repositories = 0;
  beforeAll(async () => {
    harness = await PipelineHarness.open();
    await harness.start();
  });
  beforeEach(() => {
    repositories += 1;
    repository = TestRepository.create(
      `${harness.directory.path}/repository-${repositories}`,
      FILES,
    );
  });
  afterAll(() => harness.close());

  async function completed(tenantId: string, sourceId: string): Promise<CompletedJob> {
    const job = await harness.sync(tenantId, sourceId);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }

  it('indexes every file, each chunk the cited lines of the pinned commit', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const job = await completed('t1', source);
    const commit = repository.git('rev-parse', 'HEAD').trim();
    expect(job.published).toMatchObject({ generation: 1, version_ref: commit });
    const chunks = await harness.index.chunksOf(job.published.manifest);
    expect([...new Set(chunks.map(({ path }) => path))]).toEqual([
      'README.md',
      'src/add.ts',
      'src/greet.py',
    ]);
    for (const { content, path, start_line, end_line } of chunks) {
      expect(content).toBe(repository.lines(commit, path, start_line ?? 0, end_line ?? 0));
    }
    expect(job.counters).toEqual({
      files_processed: 3,
      chunks_created: chunks.length,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    expect(job.retry_count).toBe(0);
  });

  it('goes through every stage once, in order', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const jobId = await harness.requestSync('t1', source);
    await harness.ended(jobId);
    const steps = ['fetch', 'parse', 'chunk', 'embed'].flatMap(() => [
      'JobStageStarted',
      'JobStageAdvanced',
    ]);
    const types = (await harness.types(`job-${jobId}`)).filter((type) => type !== 'JobProgressed');
    expect(types).toEqual([
      'JobRequested',
      ...steps,
      'JobStageStarted',
      'JobStaged',
      'JobCompleted',
    ]);
  });

  it('keeps tenants apart that sync the same repository', async () => {
    const sources = await Promise.all(
      ['t1', 't2'].map((tenant) => harness.registerSource(tenant, repository.url)),
    );
    const jobs = await Promise.all([
      completed('t1', sources[0] ?? ''),
      completed('t2', sources[1] ?? ''),
    ]);
    const [one, two] = await Promise.all(
      jobs.map(({ published }) => harness.index.chunksOf(published.manifest)),
    );
    expect(one?.map(({ content }) => content)).toEqual(two?.map(({ content }) => content));
    const ids = new Set(one?.map(({ chunk_id }) => chunk_id));
    expect(two?.filter(({ chunk_id }) => ids.has(chunk_id))).toEqual([]);
  });

  it('completes with zeros and stages nothing when nothing has changed', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const first = await completed('t1', source);
    const jobId = await harness.requestSync('t1', source);
    const second = (await harness.ended(jobId)) as CompletedJob;
    expect(second.published).toEqual(first.published);
    expect(second.counters).toEqual({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    expect(await harness.types(`job-${jobId}`)).toEqual([
      'JobRequested',
      'JobStageStarted',
      'JobCompleted',
    ]);
  });

  it('takes another commit with the same files as unchanged, under its own version', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const first = await completed('t1', source);
    const commit = repository.commit({ 'logo.png': '\u0000another picture' });
    const second = await completed('t1', source);
    expect(second.published).toEqual({ ...first.published, version_ref: commit });
  });

  it('rewrites only the chunks of a changed file', async () => {
    const source = await harness.registerSource('t1', repository.url);
    const first = await completed('t1', source);
    repository.commit({
      'src/add.ts': 'export function add(a: number, b: number): number {\n  return b + a;\n}\n',
    });
    const second = await completed('t1', source);
    expect(second.published.generation).toBe(2);
    expect(second.counters).toEqual({
      files_processed: 1,
      chunks_created: 0,
      chunks_updated: 1,
      chunks_deleted: 0,
    });
    const [before, after] = await Promise.all(
      [first, second].map(({ published }) => harness.index.chunksOf(published.manifest)),
    );
    const others = (chunks: typeof before) => chunks?.filter(({ path }) => path !== 'src/add.ts');
    expect(others(after)).toEqual(others(before));
    expect(
      after?.filter(({ path }) => path === 'src/add.ts').map(({ content }) => content),
    ).toEqual(['export function add(a: number, b: number): number {\n  return b + a;\n}']);
  });

  it('forgets the chunks of a deleted file, and those that a changed pattern leaves out', async () => {
    const source = await harness.registerSource('t1', repository.url);
    await completed('t1', source);
    repository.commit({ 'src/greet.py': null });
    const second = await completed('t1', source);
    expect(second.counters).toEqual({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 1,
    });
    const definition = {
      source_type: 'repo' as const,
      url: repository.url,
      branch: 'main',
      exclude_patterns: ['*.md'],
    };
    const data = { definition: { ...definition, include_patterns: [] } };
    await harness.commandSource('t1', source, { type: 'UpdateSource', data });
    const third = await completed('t1', source);
    const chunks = await harness.index.chunksOf(third.published.manifest);
    expect([...new Set(chunks.map(({ path }) => path))]).toEqual(['src/add.ts']);
    expect(third.counters).toMatchObject({ chunks_created: 0, chunks_updated: 0 });
  });

  it('stays in few packs over many small changes, and loses or doubles no chunk', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `f${String(index).padStart(2, '0')}.txt`,
        `File number ${index}\n`,
      ]),
    );
    repository.commit(files);
    const source = await harness.registerSource('t1', repository.url, {
      include_patterns: ['*.txt'],
    });
    let last = await completed('t1', source);
    for (let round = 1; round <= 9; round += 1) {
      repository.commit({
        [`f${String(round).padStart(2, '0')}.txt`]: `Changed in round ${round}\n`,
      });
      last = await completed('t1', source);
    }
    const chunks = await harness.index.chunksOf(last.published.manifest);
    expect(chunks.map(({ path }) => path).toSorted()).toEqual(Object.keys(files).toSorted());
    expect(chunks.filter(({ content }) => content.startsWith('Changed')).length).toBe(9);
    const manifest = JSON.parse(
      Buffer.from(await harness.blobs.get(last.published.manifest)).toString(),
    ) as {
      packs: unknown[];
    };
    expect(manifest.packs.length).toBeLessThan(8);
  });

  it('completes an empty repository with zero', async () => {
    const empty = TestRepository.create(`${harness.directory.path}/empty`);
    const source = await harness.registerSource('t1', empty.url);
    const first = await completed('t1', source);
    expect(await harness.index.chunksOf(first.published.manifest)).toEqual([]);
    const again = await completed('t1', source);
    expect(again.published).toEqual(first.published);
  });
});
