import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { JsonObject, RecordedEvent } from '#contracts';
import { jobDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import { TestRepository } from '#test/support/git-repository';
import { PipelineHarness } from '#test/support/pipeline-harness';

import { JobSources } from './job-sources.js';

const TENANT = '01890000-0000-7000-8000-0000000000a1';

describe('the definition of a job', () => {
  let harness: PipelineHarness;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
  });
  afterEach(() => harness.close());

  const patterns = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index}/${'x'.repeat(240)}`);
  const bytesOf = async (jobId: string) => {
    for await (const { data } of harness.store.read(`job-${jobId}`, { limit: 1 }))
      return JSON.stringify(data).length;
    throw new Error('no event');
  };

  it('is not copied into the log: its event has the same size however large the definition is', async () => {
    const url = 'https://example.com/a.git';
    const small = await harness.registerSource(TENANT, url);
    const large = await harness.registerSource(TENANT, url, { include_patterns: patterns(200) });
    const sizes = [small, large].map(async (source) =>
      bytesOf(await harness.requestSync(TENANT, source)),
    );
    const [ofSmall = 0, ofLarge = 0] = await Promise.all(sizes);
    expect(ofLarge).toBe(ofSmall);
    expect(ofLarge).toBeLessThan(1_000);
  });

  it('is that of the source when the sync was accepted, whatever changed since', async () => {
    const sourceId = await harness.registerSource(TENANT, 'https://example.com/a.git', {
      branch: 'first',
    });
    const jobId = await harness.requestSync(TENANT, sourceId);
    const state = await harness.job(jobId);
    if (state.status === 'absent') throw new Error(state.status);
    const definition = {
      source_type: 'repo' as const,
      url: 'https://example.com/b.git',
      branch: 'second',
    };
    const changed = { ...definition, include_patterns: [], exclude_patterns: [] };
    await harness.commandSource(TENANT, sourceId, {
      type: 'UpdateSource',
      data: { definition: changed },
    });
    const { definition: read } = await new JobSources(harness.store).of(state);
    expect(read).toMatchObject({ url: 'https://example.com/a.git', branch: 'first' });
  });

  it('is read once for a revision, and again after a failure', async () => {
    const sourceId = await harness.registerSource(TENANT, 'https://example.com/a.git');
    const { state } = await foldStream(
      harness.store,
      jobDecider,
      `job-${await harness.requestSync(TENANT, sourceId)}`,
    );
    if (state.status === 'absent') throw new Error(state.status);
    let reads = 0;
    const sources = new JobSources({
      read: (stream, options) => {
        reads += 1;
        if (reads === 1) throw new Error('away');
        return harness.store.read(stream, options);
      },
    });
    await expect(sources.of(state)).rejects.toThrow('away');
    await sources.of(state);
    await sources.of(state);
    expect(reads).toBe(2);
  });

  it('fails where the log does not have that revision', async () => {
    const sourceId = await harness.registerSource(TENANT, 'https://example.com/a.git');
    const state = await harness.job(await harness.requestSync(TENANT, sourceId));
    if (state.status === 'absent') throw new Error(state.status);
    const later = { ...state, source_revision: 99 };
    await expect(new JobSources(harness.store).of(later)).rejects.toThrow('has no revision 99');
  });

  it('is the copy in the event of a job that version 1 requested', async () => {
    const repository = TestRepository.create(`${harness.directory.path}/repository`, {
      'readme.md': '# Widgets',
    });
    const { url } = repository;
    const sourceId = await harness.registerSource(TENANT, url);
    const jobId = await harness.requestSync(TENANT, sourceId);
    const definition = {
      source_type: 'repo',
      url,
      branch: 'main',
      include_patterns: [],
      exclude_patterns: [],
    };
    await harness.start({ wrapStore: (store) => withJobsOfVersion1(store, definition) });
    const job = await harness.ended(jobId);
    expect(job).toMatchObject({ status: 'completed', published: { generation: 1 } });
    expect(await harness.sync(TENANT, sourceId)).toMatchObject({
      status: 'completed',
      published: { generation: 1 },
    });
  });
});

/**
 * Gives every JobRequested as version 1 stored it: without a revision, with a copy of the
 * definition.
 */
function withJobsOfVersion1(store: EventStore, definition: JsonObject): EventStore {
  const older = (event: RecordedEvent): RecordedEvent => {
    if (event.type !== 'JobRequested') return event;
    const { job_id, source_id, generation, base, max_retries } = event.data;
    const data = { job_id, source_id, definition, generation, base, max_retries };
    return { ...event, data, metadata: { ...event.metadata, schema_version: 1 } };
  };
  return {
    append: (...given) => store.append(...given),
    async *read(...given) {
      for await (const event of store.read(...given)) yield older(event);
    },
    async *subscribe(options) {
      for await (const delivery of store.subscribe(options)) {
        yield delivery.kind === 'event' ? { ...delivery, event: older(delivery.event) } : delivery;
      }
    },
    head: () => store.head(),
    reaches: (position) => store.reaches(position),
    deliveryVersion: store.deliveryVersion,
    close: () => store.close(),
  };
}
