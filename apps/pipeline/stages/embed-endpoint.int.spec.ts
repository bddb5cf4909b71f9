import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { JobState } from '#domain';
import { readEvent } from '#event-store';
import { createEmbedder, createHashEmbedder, type Embedder } from '#models';
import { loadConfig, silentLogger, systemClock } from '#platform';
import { readPack } from '#search-index';
import { TestRepository } from '#test/support/git-repository';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { PipelineHarness } from '#test/support/pipeline-harness';

const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`f${i}.txt`, `words of file ${i}\n`]),
);

describe('syncing with a model behind an OpenAI-compatible endpoint', () => {
  let harness: PipelineHarness;
  let endpoint: OpenAiEndpoint;
  let repository: TestRepository;
  let source: string;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    endpoint = await OpenAiEndpoint.start();
    repository = TestRepository.create(`${harness.directory.path}/repository`, FILES);
    source = await harness.registerSource('t1', repository.url);
  });
  afterEach(async () => {
    await harness.close();
    await endpoint.close();
  });

  function model(name = 'model-a', settings: Record<string, string> = {}): Promise<Embedder> {
    const environment = {
      EMBEDDING_MODEL: name,
      EMBEDDING_DIMENSIONS: '64',
      EMBEDDING_BASE_URL: endpoint.url,
      EMBEDDING_BATCH_SIZE: '2',
      EMBEDDING_CONCURRENCY: '1',
      ...settings,
    };
    return createEmbedder({
      config: loadConfig(environment, '/'),
      clock: systemClock,
      logger: silentLogger,
    });
  }
  async function manifestOf(job: JobState): Promise<Manifest> {
    if (job.status !== 'completed') throw new Error(`the sync ended as ${JSON.stringify(job)}`);
    return JSON.parse(
      Buffer.from(await harness.blobs.get(job.published.manifest)).toString(),
    ) as Manifest;
  }
  /** Chunks embedded, as each progress of the embed stage said. */
  async function progressOf(jobId: string): Promise<number[]> {
    const counts: number[] = [];
    for await (const recorded of harness.store.read(`job-${jobId}`)) {
      const event = readEvent(recorded);
      if (event?.type === 'JobProgressed')
        counts.push(event.data.stage_details['chunks_embedded'] ?? 0);
    }
    return counts;
  }
  const askedFor = (file: string): number =>
    endpoint.requests.filter(({ input }) => input.some((text) => text.startsWith(`${file}\n`)))
      .length;

  it('asks again for a batch that failed, and for no other', async () => {
    endpoint.when = (input) =>
      input.some((text) => text.startsWith('f5.txt')) && askedFor('f5.txt') === 0
        ? { kind: 'status', status: 503 }
        : undefined;
    await harness.start({ embedder: await model() });
    const job = await harness.sync('t1', source);
    expect(await manifestOf(job)).toMatchObject({
      embedder: { id: 'model-a@64', dimensions: 64 },
      chunk_count: 12,
    });
    expect(job).toMatchObject({ retry_count: 0 });
    expect(askedFor('f5.txt')).toBe(2);
    const failed = endpoint.requests.find(({ misbehavior }) => misbehavior)?.input ?? [];
    const others = Object.keys(FILES).filter(
      (file) => !failed.some((text) => text.startsWith(file)),
    );
    expect(others.map(askedFor)).toEqual(others.map(() => 1));
  });

  it('never indexes NaN; the next attempt asks for what is missing alone', async () => {
    let broken = true;
    endpoint.when = (input) =>
      broken && input.some((text) => text.startsWith('f7.txt')) ? { kind: 'nan' } : undefined;
    await harness.start({ embedder: await model() });
    const jobId = await harness.requestSync('t1', source);
    await harness.until(
      async () => ((await harness.types(`job-${jobId}`)).includes('JobStageFailed') ? true : null),
      'a failure',
    );
    expect(await harness.types(`job-${jobId}`)).not.toContain('JobStaged');
    expect((await harness.job(jobId)) as object).toMatchObject({ status: 'running' });
    const answered = new Set(endpoint.embedded);
    broken = false;
    const job = await harness.ended(jobId);
    const manifest = await manifestOf(job);
    expect(job).toMatchObject({ retry_count: 1 });
    const pack = readPack(await harness.blobs.get(manifest.packs[0]?.hash ?? ''));
    expect(pack.tables.chunkCount).toBe(12);
    expect([...pack.tables.scales].every((scale) => scale > 0 && Number.isFinite(scale))).toBe(
      true,
    );
    // Everything was answered once, over both attempts.
    expect(answered.size).toBeGreaterThan(0);
    expect(endpoint.embedded).toHaveLength(12);
    expect(new Set(endpoint.embedded).size).toBe(12);
  });

  it('ends the job at once when the endpoint refuses, and says with which status', async () => {
    endpoint.always = { kind: 'status', status: 401, message: 'secret-of-the-endpoint' };
    await harness.start({ embedder: await model() });
    const job = await harness.sync('t1', source);
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    const types = await harness.types(`job-${(job as { job_id: string }).job_id}`);
    expect(types.filter((type) => type === 'JobStageFailed')).toHaveLength(1);
    const log: string[] = [];
    for await (const event of harness.store.read(`job-${(job as { job_id: string }).job_id}`)) {
      log.push(JSON.stringify(event.data));
    }
    expect(log.join()).toContain('The embedding endpoint answered with status 401');
    expect(log.join()).toContain('"status_code":401');
    expect(log.join()).not.toContain('secret-of-the-endpoint');
  });

  it('embeds unchanged content again when the model has changed, as a new generation', async () => {
    await harness.start({ embedder: createHashEmbedder() });
    const first = await manifestOf(await harness.sync('t1', source));
    expect(first.embedder.id).toBe('hash-ngram-v1');
    await harness.restart({ embedder: await model() });
    const second = await manifestOf(await harness.sync('t1', source));
    expect(second).toMatchObject({
      generation: first.generation + 1,
      version_ref: first.version_ref,
      chunk_count: 12,
    });
    expect(second.embedder.id).toBe('model-a@64');
    expect(endpoint.embedded).toHaveLength(12);
    // The same model again: nothing to do.
    const third = await manifestOf(await harness.sync('t1', source));
    expect(third.generation).toBe(second.generation);
    await harness.restart({ embedder: await model('model-b') });
    expect((await manifestOf(await harness.sync('t1', source))).embedder.id).toBe('model-b@64');
    expect(endpoint.embedded).toHaveLength(24);
  });

  it('gets done with a slow endpoint, shows every answer as progress, and keeps it for the next attempt', async () => {
    await endpoint.close();
    endpoint = await OpenAiEndpoint.start({ textsPerSecond: 20 });
    const settings = {
      EMBEDDING_BATCH_SIZE: '64',
      EMBEDDING_CONCURRENCY: '4',
      EMBEDDING_TIMEOUT_SECONDS: '2',
    };
    repository.commit(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`g${i}.txt`, `more words ${i}\n`])),
    );
    await harness.start({ embedder: await model('model-a', settings) });
    const jobId = await harness.requestSync('t1', source);
    const seen = () => progressOf(jobId).then((all) => all.filter((each) => each > 0));
    await harness.until(async () => ((await seen()).length > 0 ? true : null), 'progress');
    const restarted = endpoint.embedded.length;
    await harness.restart({ embedder: await model('model-a', settings) });
    expect(await manifestOf(await harness.ended(jobId))).toMatchObject({ chunk_count: 72 });
    const counts = await seen();
    expect(restarted).toBeGreaterThan(0);
    expect(counts.length).toBeGreaterThanOrEqual(3);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    // Only the requests that ran at the restart are repeated, and nothing else.
    expect(endpoint.embedded.length).toBeLessThan(72 + 16);
    expect(endpoint.requests.length).toBeLessThan(20);
    expect(await harness.job(jobId)).toMatchObject({ retry_count: 0 });
  }, 30_000);

  it('stops asking when the job is cancelled', async () => {
    endpoint.always = { kind: 'hang' };
    await harness.start({ embedder: await model() });
    const jobId = await harness.requestSync('t1', source);
    await harness.until(async () => (endpoint.active > 0 ? true : null), 'a request');
    await harness.commandJob('t1', jobId, { type: 'CancelJob', data: {} });
    expect(await harness.ended(jobId)).toMatchObject({ status: 'cancelled' });
    const asked = endpoint.requests.length;
    endpoint.always = undefined;
    await harness.sync('t1', source);
    expect(asked).toBe(1);
  });
});
