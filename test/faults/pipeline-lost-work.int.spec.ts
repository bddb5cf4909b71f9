import { readFileSync, rmSync, truncateSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { fetchStage } from '#apps/pipeline/stages/fetch.stage';
import { parseStage } from '#apps/pipeline/stages/parse.stage';
import type { StageContext } from '#apps/pipeline/stages/stage.types';
import { StageFailure, type StageMessage } from '#contracts';
import type { EventStore } from '#event-store';
import { sleep, uuidv7 } from '#platform';
import type { WorkQueue } from '#queue';
import {
  delegated,
  failuresAnHourAhead,
  hanging,
  losingProgress,
  losingQueue,
  type PipelineWithSource,
  pipelineWithSource,
} from '#test/support/pipeline-faults';

const TERMINAL = ['JobCompleted', 'JobFailed', 'JobCancelled'];

describe('pipeline: what is lost, comes twice or comes late', () => {
  let harness: PipelineWithSource['harness'];
  let repository: PipelineWithSource['repository'];
  let source: PipelineWithSource['source'];
  let types: PipelineWithSource['types'];
  beforeEach(async () => {
    ({ harness, repository, source, types } = await pipelineWithSource());
  });
  afterEach(() => harness.close());

  it('fences a worker that lost its lease: what it writes late is refused', async () => {
    const done = Promise.withResolvers<void>();
    let first = true;
    const zombie = async (context: StageContext) => {
      if (!first) return parseStage(context);
      first = false;
      const deaf = { ...context, signal: new AbortController().signal };
      try {
        return await parseStage(deaf);
      } finally {
        await sleep(800);
        done.resolve();
      }
    };
    const wrapStore = losingProgress(
      ({ data }) => data['stage'] === 'parse' && data['attempt'] === 1,
    );
    await harness.start({ stages: { parse: zombie }, wrapStore, leaseSeconds: 0.3 });
    const jobId = await harness.requestSync('t1', source);
    expect((await harness.ended(jobId)).status).toBe('completed');
    await done.promise;
    await sleep(200);
    const advanced = (await types(jobId)).filter((type) => type === 'JobStageAdvanced');
    expect(advanced).toHaveLength(4);
    expect((await types(jobId)).filter((type) => TERMINAL.includes(type))).toHaveLength(1);
  });

  it('has one effect when every message is delivered twice, the second at the same time', async () => {
    const wrapQueue = (queue: WorkQueue): WorkQueue => ({
      publish: (topic, messages) =>
        queue.publish(topic, [
          ...messages,
          ...messages.map((message) => ({ ...message, id: uuidv7() })),
          ...messages.map((message) => ({ ...message, id: uuidv7(), key: uuidv7() })),
        ]),
      consume: (topic, handler, options) => queue.consume(topic, handler, options),
      deadLetters: (topic, limit) => queue.deadLetters(topic, limit),
      depth: (topic) => queue.depth(topic),
      loadCheckpoint: (name) => queue.loadCheckpoint(name),
      saveCheckpoint: (name, value) => queue.saveCheckpoint(name, value),
      close: () => queue.close(),
    });
    await harness.start({ wrapQueue });
    const jobId = await harness.requestSync('t1', source);
    expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', retry_count: 0 });
    await harness.until(
      async () => ((await harness.queue.depth('stage.index')).waiting === 0 ? true : null),
      'quiet',
    );
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageStarted')).toHaveLength(5);
    expect(seen.filter((type) => TERMINAL.includes(type))).toHaveLength(1);
  });

  it('has git started by a process of its own, and by another one when that is gone', async () => {
    // Other suites that ran in this process may have one that is still ending.
    const others = new Set(helpers());
    const own = () => helpers().filter((pid) => !others.has(pid));
    await harness.start();
    const sync = async () => (await harness.ended(await harness.requestSync('t1', source))).status;
    expect(await sync()).toBe('completed');
    const [first] = own();
    expect(first).toEqual(expect.any(Number));
    process.kill(first ?? 0, 'SIGKILL');
    await harness.until(() => Promise.resolve(own().includes(first ?? 0) ? null : true), 'gone');
    repository.commit({ 'more.md': '# More' });
    expect(await sync()).toBe('completed');
    expect(own()).toHaveLength(1);
    await harness.pipeline?.stop();
    await harness.until(
      () => Promise.resolve(own().length === 0 ? true : null),
      'stopped with the pipeline',
    );
  });

  it('takes a stale message as done, and buries one that it cannot read', async () => {
    await harness.start();
    const jobId = await harness.requestSync('t1', source);
    await harness.ended(jobId);
    const before = await types(jobId);
    const body = {
      tenant_id: 't1',
      source_id: source,
      job_id: jobId,
      stage: 'parse',
      attempt: 1,
      correlation_id: 'c',
      causation_id: 'c',
    };
    await harness.queue.publish<unknown>('stage.parse', [
      { id: uuidv7(), key: source, body },
      { id: uuidv7(), key: 'poison', body: { stage: 'parse', attempt: 'many' } },
      { id: uuidv7(), key: 'foreign', body: { ...body, tenant_id: 't2' } },
    ]);
    const buried = await harness.until(async () => {
      const letters = await harness.queue.deadLetters('stage.parse', 10);
      return letters.length === 2 ? letters : null;
    }, 'the dead letters');
    expect(buried.map(({ message }) => message.key).toSorted()).toEqual(['foreign', 'poison']);
    expect(await types(jobId)).toEqual(before);
  });

  it('opens the job of a sync whose second append is missing', async () => {
    await harness.start();
    await harness.sync('t1', source);
    const jobId = await harness.requestSync('t1', source, false);
    expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', generation: 2 });
  });

  it('takes up at the start what was open: a lost queue, a held lease, a planned retry', async () => {
    const { stage, started } = hanging();
    await harness.start({ stages: { chunk: stage } });
    const running = await harness.requestSync('t1', source);
    await started;
    await harness.pipeline?.stop();
    const waiting = await harness.requestSync(
      't1',
      await harness.registerSource('t1', repository.url),
    );
    await harness.loseQueue();
    await harness.start();
    expect(await harness.ended(waiting)).toMatchObject({ status: 'completed' });
    expect(await harness.ended(running)).toMatchObject({ status: 'completed', attempt: 2 });
    expect((await types(running)).filter((type) => type === 'JobStageLost')).toHaveLength(1);
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['torn', (path: string) => truncateSync(path, 64)],
    ['empty', (path: string) => truncateSync(path, 0)],
  ])(
    'starts again with the fetch where the output of a stage is %s after a power failure',
    async (_, damage) => {
      const { stage, started } = hanging();
      await harness.start({ stages: { embed: stage } });
      const jobId = await harness.requestSync('t1', source);
      await started;
      const inLog = async () =>
        (await types(jobId)).filter((type) => type === 'JobStageStarted').length === 4 || null;
      await harness.until(inLog, 'the output of the chunk stage in the store');
      await harness.pipeline?.stop();
      let damaged = 0;
      for await (const { hash } of harness.blobs.list()) {
        damage(`${harness.directory.path}/blobs/${hash.slice(0, 2)}/${hash}`);
        damaged += 1;
      }
      expect(damaged).toBe(1);
      await harness.start();
      const job = await harness.ended(jobId);
      expect(job).toMatchObject({ status: 'completed', retry_count: 1, attempt: 3, deaths: 0 });
      const stages: string[] = [];
      for await (const { type, data } of harness.store.read(`job-${jobId}`))
        if (type === 'JobStageStarted')
          stages.push(`${String(data['stage'])} ${String(data['attempt'])}`);
      expect(stages.slice(-6)).toEqual([
        'embed 2',
        ...['fetch', 'parse', 'chunk', 'embed', 'index'].map((name) => `${name} 3`),
      ]);
      const undisturbed = await harness.sync(
        't1',
        await harness.registerSource('t1', repository.url),
      );
      const countersOf = (state: object) => ('counters' in state ? state.counters : undefined);
      expect(countersOf(job)).toEqual(countersOf(undisturbed));
    },
  );

  it('sends due work again that the queue has lost while running', async () => {
    const { wrapQueue, lost } = losingQueue(({ stage }) => stage === 'fetch');
    await harness.start({ wrapQueue, leaseSeconds: 0.5 });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(lost).toEqual(['fetch 1']);
  });

  it('sends a retry again whose message the queue has lost', async () => {
    let calls = 0;
    const flaky = async (context: StageContext) => {
      calls += 1;
      if (calls === 1) throw new StageFailure('The network was away', true);
      return parseStage(context);
    };
    const { wrapQueue, lost } = losingQueue(
      ({ stage, attempt }) => stage === 'parse' && attempt === 2,
    );
    await harness.start({ wrapQueue, stages: { parse: flaky }, leaseSeconds: 0.5 });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 1 });
    expect(lost).toEqual(['parse 2']);
  });

  it('sends lost work again while its topic is busy with others', async () => {
    const { stage, started } = hanging();
    const fetch = (context: StageContext) =>
      context.tenantId === 't2' ? stage(context) : fetchStage(context);
    const { wrapQueue, lost } = losingQueue(
      ({ stage, tenant_id }) => stage === 'fetch' && tenant_id === 't1',
    );
    await harness.start({ wrapQueue, stages: { fetch }, leaseSeconds: 0.5 });
    const other = await harness.registerSource('t2', repository.url);
    const busy = await harness.requestSync('t2', other);
    await started;
    // Waits behind the one of its key that is under way, for as long as that takes.
    const behind: StageMessage = {
      tenant_id: 't2',
      source_id: other,
      job_id: busy,
      stage: 'fetch',
      attempt: 1,
      correlation_id: 'c',
      causation_id: 'c',
    };
    await harness.queue.publish('stage.fetch', [{ id: uuidv7(), key: other, body: behind }]);
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(lost).toEqual(['fetch 1']);
    expect((await harness.queue.depth('stage.fetch')).waiting).toBeGreaterThan(0);
    expect((await harness.job(busy)).status).toBe('running');
  });

  it('waits with a retry as long as its worker said, though the clock of that worker is an hour ahead', async () => {
    let calls = 0;
    const flaky = async (context: StageContext) => {
      calls += 1;
      if (calls === 1) throw new StageFailure('The network was away', true);
      return parseStage(context);
    };
    await harness.start({
      stages: { parse: flaky },
      wrapStore: failuresAnHourAhead,
      leaseSeconds: 0.5,
    });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 1 });
  });

  it.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
    'completes a job with one retry while the wall clock steps by %d ms at each stage',
    async (step) => {
      let offset = 0;
      const now = (): Date => new Date(Date.now() + offset);
      let calls = 0;
      const stepping = async (context: StageContext) => {
        calls += 1;
        offset += step;
        if (calls === 1) throw new StageFailure('The network was away', true);
        return parseStage(context);
      };
      await harness.start({ stages: { parse: stepping }, now });
      const jobId = await harness.requestSync('t1', source);
      expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', retry_count: 1 });
      expect(await types(jobId)).not.toContain('JobStageLost');
    },
  );

  it('supervises every job though one of them cannot be', async () => {
    const { stage } = hanging();
    const mute = losingProgress(({ data }) => data['stage'] === 'parse' && data['attempt'] === 1);
    const stuck = { jobId: '' };
    const wrapStore = (store: EventStore): EventStore => ({
      ...delegated(mute(store)),
      append: (stream, events, expected) =>
        stream === `job-${stuck.jobId}` && events.some(({ type }) => type === 'JobStageLost')
          ? Promise.reject(new Error('This one is refused'))
          : mute(store).append(stream, events, expected),
    });
    const parse = (context: StageContext) =>
      context.job.attempt === 1 ? stage(context) : parseStage(context);
    await harness.start({ stages: { parse }, wrapStore, leaseSeconds: 0.4 });
    stuck.jobId = await harness.requestSync('t1', source);
    await harness.until(
      async () => ((await types(stuck.jobId)).length === 4 ? true : null),
      'the start of parse',
    );
    const later = await harness.registerSource('t1', repository.url);
    expect(await harness.sync('t1', later)).toMatchObject({ status: 'completed', retry_count: 1 });
    expect((await harness.job(stuck.jobId)).status).toBe('running');
  });
});

/** Processes that this one runs to start others by. */
function helpers(): readonly number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ');
  return children
    .filter((pid) => pid !== '' && commandOf(pid).includes('helper-process.js'))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
