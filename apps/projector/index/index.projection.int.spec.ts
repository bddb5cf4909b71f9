import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import type { Projector } from '#apps/projector/projector';
import { FootnoteError } from '#contracts';
import { silentLogger } from '#platform';
import { getGeneration } from '#read-model/queries/generations.query';
import { manifestHash } from '#test/support/mixed-history';
import { ProjectorHarness, sampleManifest } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

describe('the index projection', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;
  let projector: Projector | undefined;

  beforeAll(async () => {
    opened = await openTestReadModel();
  });
  beforeEach(async () => {
    await opened.begin();
    fixture = new ProjectorHarness(opened.readModel);
  });
  afterEach(async () => {
    await projector?.stop();
    projector = undefined;
  });
  afterAll(() => opened.close());

  it('loads a staged generation and reports its number of chunks', async () => {
    stage('s1', 1, 12);
    await fixture.project();
    expect(fixture.searchIndex.applied).toEqual(['s1/1']);
    expect(await row('s1', 1)).toMatchObject({
      state: 'ready',
      expected_chunk_count: 12,
      loaded_chunk_count: 12,
    });
    expect(await opened.readModel.ask(getGeneration, TENANT_B, 's1', 1)).toBeNull();
    await fixture.project();
    expect(fixture.searchIndex.applied).toEqual(['s1/1']);
  });

  it('shows waiting jobs the state of their generations, each in its tenant', async () => {
    stage('s1', 1, 12);
    stage('s2', 1, 1, { blob: false });
    await fixture.project();
    const indexed = indexedGenerations(opened.readModel);
    const [ready, unknown, failed, foreign] = await Promise.all([
      indexed.state(TENANT_A, 's1', 1),
      indexed.state(TENANT_A, 's1', 2),
      indexed.state(TENANT_A, 's2', 1),
      indexed.state(TENANT_B, 's1', 1),
    ]);
    expect(ready).toMatchObject({ state: 'ready', chunk_count: 12, message: null });
    expect(failed).toMatchObject({ state: 'failed', chunk_count: 0 });
    expect([unknown, foreign]).toEqual([null, null]);
  });

  it('says why a generation can never be loaded, and goes on with the next', async () => {
    stage('s1', 1, 1, { blob: false });
    stage('s1', 2, 2);
    await fixture.project();
    expect(await row('s1', 1)).toMatchObject({ state: 'failed', loaded_chunk_count: null });
    expect((await row('s1', 1))?.message).toContain('is missing: the manifest of generation 1');
    expect(await row('s1', 2)).toMatchObject({ state: 'ready' });
  });

  it('tries again while the engine is away', async () => {
    stage('s1', 1, 5);
    let away = 3;
    fixture.searchIndex.onApply = () => {
      away -= 1;
      if (away >= 0) throw new FootnoteError('engine_unavailable', 'away');
    };
    await fixture.project();
    expect(await row('s1', 1)).toMatchObject({ state: 'ready', message: null });
  });

  it('loads survivors only: what is dropped further on is never touched', async () => {
    stage('s1', 1, 1, { blob: false });
    stage('s1', 2, 1);
    stage('s2', 1, 1, { blob: false });
    fixture.given(
      { type: 'GenerationDropped', data: { source_id: 's1', generation: 1, reason: 'superseded' } },
      { type: 'SourceRemoved', data: { source_id: 's2' } },
    );
    await fixture.project();
    expect(fixture.searchIndex.applied).toEqual(['s1/2']);
    expect(await row('s1', 1)).toMatchObject({ state: 'dropped', message: null });
    expect(await row('s2', 1)).toMatchObject({ state: 'dropped' });
  });

  it('drops what was loaded', async () => {
    stage('s1', 1, 1);
    await fixture.project();
    fixture.given({
      type: 'GenerationDropped',
      data: { source_id: 's1', generation: 1, reason: 'superseded' },
    });
    await fixture.project();
    expect(fixture.searchIndex.loaded.size).toBe(0);
    expect(await row('s1', 1)).toMatchObject({ state: 'dropped', loaded_chunk_count: null });
  });

  it('loads again after a start what the index lost', async () => {
    stage('s1', 1, 4);
    await fixture.project();
    fixture.searchIndex.loaded.clear();
    await fixture.project();
    expect(fixture.searchIndex.applied).toEqual(['s1/1', 's1/1']);
    expect(fixture.searchIndex.loaded.size).toBe(1);
  });

  it('lets a small source pass a huge one, and keeps the checkpoint before what is unfinished', async () => {
    const huge = Promise.withResolvers<void>();
    fixture.searchIndex.onApply = ({ source_id }) =>
      source_id === 'huge' ? huge.promise : undefined;
    stage('huge', 1, 100);
    stage('small', 1, 1);
    projector = fixture.projector();
    await projector.start();
    await until(async () => (await row('small', 1))?.state === 'ready');
    await until(async () => (await row('huge', 1))?.state === 'loading');
    expect(await opened.readModel.positionOf('generations')).toBeNull();
    huge.resolve();
    await projector.caughtUp();
    expect(await row('huge', 1)).toMatchObject({ state: 'ready' });
    expect(await opened.readModel.positionOf('generations')).toBe(await fixture.store.head());
  });

  it('follows the new version of its rows when a rebuild replaced them, without a failure', async () => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...words: unknown[]) => void warnings.push(words) };
    stage('s1', 1, 3);
    projector = fixture.projector(500, logger);
    await projector.start();
    await projector.caughtUp();
    const [rebuilt] = await fixture.projector().rebuild('generations', 'rows');
    expect(rebuilt).toMatchObject({ rows: 1, rowsBefore: 1 });
    stage('s2', 1, 4);
    await until(async () => (await row('s2', 1))?.state === 'ready');
    expect(await row('s1', 1)).toMatchObject({ state: 'ready', loaded_chunk_count: 3 });
    expect(warnings).toEqual([]);
  });

  function stage(
    source_id: string,
    generation: number,
    chunk_count: number,
    { blob = true } = {},
  ): void {
    const manifest = manifestHash(source_id, generation);
    if (blob)
      fixture.blobs.putAs(manifest, sampleManifest(TENANT_A, source_id, generation, chunk_count));
    const ids = { job_id: `${source_id}-${generation}`, source_id, generation, attempt: 1 };
    const outcome = { manifest, version_ref: 'v', file_count: 1, chunk_count, stage_details: {} };
    fixture.given({ type: 'JobStaged', data: { ...ids, ...outcome } });
  }

  const row = (sourceId: string, generation: number) =>
    opened.readModel.ask(getGeneration, TENANT_A, sourceId, generation);
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
