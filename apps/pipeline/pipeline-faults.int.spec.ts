import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FootnoteError, StageFailure, type ProposedEvent, type StageMessage } from '#contracts';
import { OutcomeUnknownError, type EventStore } from '#event-store';
import { sleep, uuidv7 } from '#platform';
import type { WorkQueue } from '#queue';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { indexStage } from './stages/index.stage.js';
import { parseStage } from './stages/parse.stage.js';
import type { StageContext, StageOutcome } from './stages/stage.types.js';

const TERMINAL = ['JobCompleted', 'JobFailed', 'JobCancelled'];

describe('pipeline: faults', () => {
  let harness: PipelineHarness;
  let repository: TestRepository;
  let source: string;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'a.ts': 'export const a = 1;\n',
      'b.md': '# Title\n\nText.\n',
    });
    source = await harness.registerSource('t1', repository.url);
  });
  afterEach(() => harness.close());

  /** A stage that hangs until it is told to stop, and when that was. */
  function hanging() {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<number>();
    const stage = async ({ signal }: StageContext): Promise<never> => {
      started.resolve();
      await sleep(60_000, signal);
      stopped.resolve(performance.now());
      throw signal.reason;
    };
    return { stage, started: started.promise, stopped: stopped.promise };
  }

  const types = async (jobId: string) =>
    (await harness.types(`job-${jobId}`)).filter((type) => type !== 'JobProgressed');

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

  it('cancels the job of a source that is removed meanwhile, and drops what it had published', async () => {
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
    await harness.until(async () => (await harness.types(`generation-${source}`))[0] ?? null, 'the drop');
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
    await harness.start();
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
    expect(await harness.ended(jobId)).toMatchObject({ status: 'completed', retry_count: 1, attempt: 2 });
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
      if (asked === 1) throw new StageFailure('Come back later', true, null, { retryAfterMs: 2_500 });
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
    await harness.until(async () => ((await types(jobId)).includes('JobStageFailed') ? true : null), 'a failure');
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

  it('fails a job whose worker is lost every time after 4 attempts, and leaves its neighbours unhurt', async () => {
    const { stage } = hanging();
    const good = await harness.registerSource('t2', repository.url);
    const wrapStore = losingProgress(({ metadata }) => metadata.tenant_id === 't1');
    const poisoned = (context: StageContext) => (context.tenantId === 't1' ? stage(context) : parseStage(context));
    await harness.start({ stages: { parse: poisoned }, wrapStore, leaseSeconds: 0.4 });
    const jobId = await harness.requestSync('t1', source);
    const neighbour = await harness.sync('t2', good);
    expect(neighbour).toMatchObject({ status: 'completed', retry_count: 0 });
    const job = await harness.ended(jobId);
    expect(job).toMatchObject({ status: 'failed', retry_count: 3 });
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageLost')).toHaveLength(4);
    expect(seen.at(-1)).toBe('JobFailed');
  });

  it.each([
    ['the end of a stage', indexing, { chunk_count: -1 }, 'JobStaged does not fit its schema: chunk_count'],
    ['a renewal', progressing, {}, 'JobProgressed does not fit its schema: stage_details.files'],
  ])('fails a stage at once, with what was wrong, when the log refuses %s', async (_, stage, change, message) => {
    await harness.start({ stages: { index: (context) => stage(context, change) }, leaseSeconds: 2 });
    const job = await harness.sync('t1', source);
    expect(job).toMatchObject({ status: 'failed', retry_count: 0 });
    expect(job).toHaveProperty('error_message', expect.stringContaining(message));
    expect(await types(job.status === 'absent' ? '' : job.job_id)).not.toContain('JobStageLost');
  });

  it('fails a stage whose details the log refuses, with its own message', async () => {
    const broken = () => Promise.reject(new StageFailure('Told in a number', false, { status_code: 4.5 }));
    await harness.start({ stages: { parse: broken }, leaseSeconds: 1 });
    expect(await harness.sync('t1', source)).toMatchObject({
      status: 'failed',
      retry_count: 0,
      error_message: 'Told in a number',
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

  it('fences a worker that lost its lease: what it writes late is refused', async () => {
    const done = Promise.withResolvers<void>();
    let first = true;
    const zombie = async (context: StageContext) => {
      if (!first) return parseStage(context);
      first = false;
      const deaf = { ...context, signal: new AbortController().signal };
      const outcome = await parseStage(deaf);
      await sleep(800);
      done.resolve();
      return outcome;
    };
    const wrapStore = losingProgress(({ data }) => data['stage'] === 'parse' && data['attempt'] === 1);
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
    await harness.until(async () => ((await harness.queue.depth('stage.index')).waiting === 0 ? true : null), 'quiet');
    const seen = await types(jobId);
    expect(seen.filter((type) => type === 'JobStageStarted')).toHaveLength(5);
    expect(seen.filter((type) => TERMINAL.includes(type))).toHaveLength(1);
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
    const waiting = await harness.requestSync('t1', await harness.registerSource('t1', repository.url));
    await harness.loseQueue();
    await harness.start();
    expect(await harness.ended(waiting)).toMatchObject({ status: 'completed' });
    expect(await harness.ended(running)).toMatchObject({ status: 'completed', attempt: 2 });
    expect((await types(running)).filter((type) => type === 'JobStageLost')).toHaveLength(1);
  });

  it('sends due work again that the queue has lost while running', async () => {
    const { wrapQueue, lost } = losingQueue(({ stage }) => stage === 'parse');
    await harness.start({ wrapQueue, leaseSeconds: 0.5 });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(lost).toEqual(['parse 1']);
  });

  it('sends a retry again whose message the queue has lost', async () => {
    let calls = 0;
    const flaky = async (context: StageContext) => {
      calls += 1;
      if (calls === 1) throw new StageFailure('The network was away', true);
      return parseStage(context);
    };
    const { wrapQueue, lost } = losingQueue(({ stage, attempt }) => stage === 'parse' && attempt === 2);
    await harness.start({ wrapQueue, stages: { parse: flaky }, leaseSeconds: 0.5 });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 1 });
    expect(lost).toEqual(['parse 2']);
  });

  it('sends lost work again while its topic is busy with others', async () => {
    const { stage, started } = hanging();
    const parse = (context: StageContext) => (context.tenantId === 't2' ? stage(context) : parseStage(context));
    const { wrapQueue, lost } = losingQueue(({ stage, tenant_id }) => stage === 'parse' && tenant_id === 't1');
    await harness.start({ wrapQueue, stages: { parse }, leaseSeconds: 0.5 });
    const other = await harness.registerSource('t2', repository.url);
    const busy = await harness.requestSync('t2', other);
    await started;
    // Waits behind the one of its key that is under way, for as long as that takes.
    const behind: StageMessage = {
      tenant_id: 't2',
      source_id: other,
      job_id: busy,
      stage: 'parse',
      attempt: 1,
      correlation_id: 'c',
      causation_id: 'c',
    };
    await harness.queue.publish('stage.parse', [{ id: uuidv7(), key: other, body: behind }]);
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(lost).toEqual(['parse 1']);
    expect((await harness.queue.depth('stage.parse')).waiting).toBeGreaterThan(0);
    expect((await harness.job(busy)).status).toBe('running');
  });

  it('waits with a retry as long as its worker said, though the clock of that worker is an hour ahead', async () => {
    let calls = 0;
    const flaky = async (context: StageContext) => {
      calls += 1;
      if (calls === 1) throw new StageFailure('The network was away', true);
      return parseStage(context);
    };
    await harness.start({ stages: { parse: flaky }, wrapStore: failuresAnHourAhead, leaseSeconds: 0.5 });
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'completed', retry_count: 1 });
  });

  it('looks after every job though one of them cannot be', async () => {
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
    const parse = (context: StageContext) => (context.job.attempt === 1 ? stage(context) : parseStage(context));
    await harness.start({ stages: { parse }, wrapStore, leaseSeconds: 0.4 });
    stuck.jobId = await harness.requestSync('t1', source);
    await harness.until(async () => ((await types(stuck.jobId)).length === 4 ? true : null), 'the start of parse');
    const later = await harness.registerSource('t1', repository.url);
    expect(await harness.sync('t1', later)).toMatchObject({ status: 'completed', retry_count: 1 });
    expect((await harness.job(stuck.jobId)).status).toBe('running');
  });

  it('fails a job whose generation the index cannot load, and drops the generation', async () => {
    harness.index.failure = 'The pack is damaged';
    await harness.start();
    expect(await harness.sync('t1', source)).toMatchObject({ status: 'failed', error_message: 'The pack is damaged' });
    await harness.until(async () => (await harness.types(`generation-${source}`))[0] ?? null, 'the drop');
  });

  it('publishes nothing of a job that was cancelled while the index was loading, and drops it', async () => {
    harness.index.held = true;
    await harness.start();
    const jobId = await harness.requestSync('t1', source);
    await harness.until(async () => ((await types(jobId)).includes('JobStaged') ? true : null), 'the staging');
    await harness.commandJob('t1', jobId, { type: 'CancelJob', data: {} });
    await harness.until(async () => (await harness.types(`generation-${source}`))[0] ?? null, 'the drop');
    harness.index.held = false;
    await sleep(200);
    expect((await types(jobId)).filter((type) => TERMINAL.includes(type))).toEqual(['JobCancelled']);
  });

  it('keeps one generation beside the live one and drops the older', async () => {
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

/** The index stage with another outcome than it found. */
async function indexing(context: StageContext, change: object): Promise<StageOutcome> {
  return { ...(await indexStage(context)), ...change };
}

/** An index stage that reports what no event can hold, and then goes on until it is told to stop. */
async function progressing(context: StageContext): Promise<StageOutcome> {
  context.report({ fraction: 0, message: 'On it', details: { files: Number.NaN } });
  await sleep(60_000, context.signal);
  throw context.signal.reason;
}

/** A queue that takes the first message of some work and forgets it. */
function losingQueue(isLost: (message: StageMessage) => boolean) {
  const lost: string[] = [];
  const wrapQueue = (queue: WorkQueue): WorkQueue => ({
    publish: async (topic, messages) => {
      const bodies = messages.map(({ body }) => body as StageMessage);
      if (lost.length === 0 && bodies.some(isLost)) lost.push(...bodies.map((body) => `${body.stage} ${body.attempt}`));
      else await queue.publish(topic, messages);
    },
    consume: (topic, handler, options) => queue.consume(topic, handler, options),
    deadLetters: (topic, limit) => queue.deadLetters(topic, limit),
    depth: (topic) => queue.depth(topic),
    loadCheckpoint: (name) => queue.loadCheckpoint(name),
    saveCheckpoint: (name, value) => queue.saveCheckpoint(name, value),
    close: () => queue.close(),
  });
  return { wrapQueue, lost };
}

/** A log whose failed attempts come from a machine with a clock that is an hour ahead. */
function failuresAnHourAhead(store: EventStore): EventStore {
  const ahead = (time: string) => new Date(new Date(time).getTime() + 3_600_000).toISOString();
  const shifted = (event: ProposedEvent): ProposedEvent => {
    const retryAt = event.data['retry_at'];
    if (event.type !== 'JobStageFailed' || typeof retryAt !== 'string') return event;
    const metadata = { ...event.metadata, occurred_at: ahead(event.metadata.occurred_at) };
    return { ...event, metadata, data: { ...event.data, retry_at: ahead(retryAt) } };
  };
  return {
    ...delegated(store),
    append: (stream, events, expected) => store.append(stream, events.map(shifted), expected),
  };
}

/** A log that loses some renewals of leases. */
function losingProgress(lost: (event: ProposedEvent) => boolean): (store: EventStore) => EventStore {
  return refusing((event) =>
    event.type === 'JobProgressed' && lost(event) ? new OutcomeUnknownError('job-cut', 'cut off') : null,
  );
}

/** A log that refuses some events. */
function refusing(refusal: (event: ProposedEvent) => Error | null): (store: EventStore) => EventStore {
  return (store) => ({
    ...delegated(store),
    append: async (stream, events, expected) => {
      for (const event of events) {
        const error = refusal(event);
        if (error) throw error;
      }
      return store.append(stream, events, expected);
    },
  });
}

function delegated(store: EventStore): EventStore {
  return {
    append: (stream, events, expected) => store.append(stream, events, expected),
    read: (stream, options) => store.read(stream, options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    reaches: (position) => store.reaches(position),
    deliveryVersion: store.deliveryVersion,
    close: () => store.close(),
  };
}
