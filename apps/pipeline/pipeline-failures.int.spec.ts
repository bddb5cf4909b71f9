import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FootnoteError, StageFailure } from '#contracts';
import { sleep } from '#platform';
import {
  hanging,
  indexing,
  losingProgress,
  type PipelineWithSource,
  pipelineWithSource,
  progressing,
  refusing,
} from '#test/support/pipeline-faults';

import { parseStage } from './stages/parse.stage.js';
import type { StageContext } from './stages/stage.types.js';

const TERMINAL = ['JobCompleted', 'JobFailed', 'JobCancelled'];

describe('pipeline: what fails, is cancelled or removed', () => {
  let harness: PipelineWithSource['harness'];
  let repository: PipelineWithSource['repository'];
  let source: PipelineWithSource['source'];
  let types: PipelineWithSource['types'];
  beforeEach(async () => {
    ({ harness, repository, source, types } = await pipelineWithSource());
  });
  afterEach(() => harness.close());

  it('ends a running stage within a second of the cancel, and writes nothing after it', async () => {
    const { stage, started, stopped } = hanging();
    await harness.start({ stages: { parse: stage } });
    const jobId = await harness.requestSync('t1', source);
    await started;
    const asked = performance.now();
    await harness.commandJob('t1', jobId, { type: 'CancelJob', data: {} });
    expect((await stopped) - asked).toBeLessThan(1_000);
    await sleep(300);
    expect((await types(jobId)).at(-1)).toBe('JobCancelled');
  });

  it('cancels the job of a source that is removed during it, and drops what it had published', async () => {
    await harness.start();
    await harness.sync('t1', source);
    const { stage, started, stopped } = hanging();
    await harness.restart({ stages: { fetch: stage } });
    const jobId = await harness.requestSync('t1', source);
    await started;
    const asked = performance.now();
    await harness.commandSource('t1', source, { type: 'RemoveSource', data: {} });
    expect((await stopped) - asked).toBeLessThan(1_000);
    expect((await harness.ended(jobId)).status).toBe('cancelled');
    await harness.until(
      async () => (await harness.types(`generation-${source}`))[0] ?? null,
      'the drop',
    );
    expect(await harness.types(`generation-${source}`)).toEqual(['GenerationDropped']);
  });

  it.each([
    ['a URL without a repository', (path: string) => `file://${path}/nothing`, 'main'],
    ['a branch that does not exist', (path: string) => `file://${path}/repository`, 'nowhere'],
  ])('fails at once, with the URL in the details, on %s', async (_, url, branch) => {
    await harness.start();
    const bad = await harness.registerSource('t1', url(harness.directory.path), { branch });
    const job = await harness.sync('t1', bad);
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    if (job.status !== 'failed') throw new Error('unreachable');
    expect(job.error_message.length).toBeGreaterThan(10);
    expect(job.error_details?.url).toContain('file://');
    if (branch === 'nowhere') expect(job.error_message).toContain('main');
  });

  it('says that a type cannot be synced by this version', async () => {
    await harness.start({ fetchers: {} });
    const docs = await harness.registerSource('t1', 'https://example.com', { source_type: 'docs' });
    expect(await harness.sync('t1', docs)).toMatchObject({
      status: 'failed',
      error_message: 'Sources of type docs cannot be synced by this version',
    });
  });

  it('tries a failure that may pass again, later, from the stage that failed', async () => {
    let calls = 0;
    const flaky = async (context: StageContext) => {
      calls += 1;
      if (calls === 1) throw new StageFailure('The network was away', true);
      return parseStage(context);
    };
    await harness.start({ stages: { parse: flaky } });
    const jobId = await harness.requestSync('t1', source);
    expect(await harness.ended(jobId)).toMatchObject({
      status: 'completed',
      retry_count: 1,
      attempt: 2,
    });
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageFailed')).toHaveLength(1);
    expect(seen.slice(0, 6)).toEqual([
      'JobRequested',
      'JobStageStarted',
      'JobStageAdvanced',
      'JobStageStarted',
      'JobStageFailed',
      'JobStageStarted',
    ]);
  });

  it('tries again no sooner than the server that failed wants to be asked', async () => {
    let asked = 0;
    const busy = async (context: StageContext) => {
      asked += 1;
      if (asked === 1)
        throw new StageFailure('Come back later', true, null, { retryAfterMs: 2_500 });
      return parseStage(context);
    };
    await harness.start({ stages: { parse: busy } });
    const jobId = await harness.requestSync('t1', source);
    expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', retry_count: 1 });
    for await (const event of harness.store.read(`job-${jobId}`)) {
      if (event.type !== 'JobStageFailed') continue;
      const { retry_at } = event.data as { readonly retry_at: string };
      expect(Date.parse(retry_at) - Date.parse(event.metadata.occurred_at)).toBeGreaterThan(2_400);
    }
  });

  it('keeps what went wrong inside out of the job', async () => {
    const broken = () => Promise.reject(new Error('secret path /etc/footnote'));
    await harness.start({ stages: { fetch: broken } });
    const jobId = await harness.requestSync('t1', source);
    await harness.until(
      async () => ((await types(jobId)).includes('JobStageFailed') ? true : null),
      'a failure',
    );
    for await (const event of harness.store.read(`job-${jobId}`)) {
      expect(JSON.stringify(event.data)).not.toContain('secret');
    }
  });

  it('fails the job of a stage that takes longer than it may', async () => {
    const { stage } = hanging();
    await harness.start({ stages: { fetch: stage }, stageTimeoutSeconds: 0.2 });
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'failed',
      error_message: 'Stage fetch took longer than 0.2 s (STAGE_TIMEOUT_SECONDS)',
    });
  });

  it('refuses a source with too many chunks', async () => {
    await harness.start({ limits: { maxChunksPerSource: 1 } });
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_message: 'The source has more than 1 chunks (MAX_CHUNKS_PER_SOURCE)',
    });
  });

  it('fails a job whose worker is lost every time after 3 attempts, and leaves its neighbors unhurt', async () => {
    const { stage } = hanging();
    const good = await harness.registerSource('t2', repository.url);
    const wrapStore = losingProgress(({ metadata }) => metadata.tenant_id === 't1');
    const poisoned = (context: StageContext) =>
      context.tenantId === 't1' ? stage(context) : parseStage(context);
    await harness.start({ stages: { parse: poisoned }, wrapStore, leaseSeconds: 0.4 });
    const jobId = await harness.requestSync('t1', source);
    const neighbor = await harness.sync('t2', good);
    expect(neighbor).toMatchObject({ status: 'completed', retry_count: 0 });
    const job = await harness.ended(jobId);
    expect(job).toMatchObject({ status: 'failed', retry_count: 3 });
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageLost')).toHaveLength(3);
    expect(seen.at(-1)).toBe('JobFailed');
  });

  it.each([
    [
      'the end of a stage',
      indexing,
      { chunk_count: -1 },
      'JobStaged does not fit its schema: chunk_count',
    ],
    ['a renewal', progressing, {}, 'JobProgressed does not fit its schema: stage_details.files'],
  ])(
    'fails a stage at once, with what was wrong, when the log refuses %s',
    async (_, stage, change, message) => {
      await harness.start({
        stages: { index: (context) => stage(context, change) },
        leaseSeconds: 2,
      });
      const job = await harness.sync('t1', source);
      expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
      expect(job).toHaveProperty('error_message', expect.stringContaining(message));
      expect(await types(job.status === 'absent' ? '' : job.job_id)).not.toContain('JobStageLost');
    },
  );

  it('fails a stage whose details the log refuses, with its own message', async () => {
    const broken = () =>
      Promise.reject(new StageFailure('Status in a fraction', false, { status_code: 4.5 }));
    await harness.start({ stages: { parse: broken }, leaseSeconds: 1 });
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_message: 'Status in a fraction',
      error_details: null,
    });
  });

  it('says that the log was full, not that a worker was lost, as soon as the log takes it', async () => {
    let refusals = 0;
    const wrapStore = refusing((event) => {
      const ends = event.type === 'JobStageAdvanced' && event.data['stage'] === 'parse';
      if (refusals >= 2 || !(ends || event.type === 'JobStageFailed')) return null;
      refusals += 1;
      return new FootnoteError('storage_full', 'The disk is full.');
    });
    await harness.start({ wrapStore });
    const jobId = await harness.requestSync('t1', source);
    expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', retry_count: 1 });
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageFailed')).toHaveLength(1);
    expect(seen).not.toContain('JobStageLost');
  });

  it('fails a job whose generation the index cannot load, and drops the generation', async () => {
    harness.index.failure = 'The pack is damaged';
    await harness.start();
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'failed',
      error_message: 'The pack is damaged',
    });
    await harness.until(
      async () => (await harness.types(`generation-${source}`))[0] ?? null,
      'the drop',
    );
  });

  it('publishes nothing of a job that was cancelled while the index was loading, and drops it', async () => {
    harness.index.held = true;
    await harness.start();
    const jobId = await harness.requestSync('t1', source);
    await harness.until(
      async () => ((await types(jobId)).includes('JobStaged') ? true : null),
      'the staging',
    );
    await harness.commandJob('t1', jobId, { type: 'CancelJob', data: {} });
    await harness.until(
      async () => (await harness.types(`generation-${source}`))[0] ?? null,
      'the drop',
    );
    harness.index.held = false;
    await sleep(200);
    expect((await types(jobId)).filter((type) => TERMINAL.includes(type))).toEqual([
      'JobCancelled',
    ]);
  });

  it('keeps one generation before the live one and drops the older', async () => {
    await harness.start({ limits: { retentionGenerations: 1 } });
    for (const round of [1, 2, 3, 4]) {
      repository.commit({ 'a.ts': `export const a = ${round};\n` });
      await harness.sync('t1', source);
    }
    const dropped = await harness.until(async () => {
      const seen: unknown[] = [];
      for await (const { data } of harness.store.read(`generation-${source}`))
        seen.push([data['generation'], data['reason']]);
      return seen.length === 2 ? seen : null;
    }, 'two drops');
    expect(dropped).toEqual([
      [1, 'superseded'],
      [2, 'superseded'],
    ]);
  });
});
