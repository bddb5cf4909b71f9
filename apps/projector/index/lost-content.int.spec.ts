import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Projector } from '#apps/projector/projector';
import { type GenerationView, getSource, listContentGaps, listSources } from '#read-model';
import { getGeneration } from '#read-model/queries/generations.query';
import { manifestHash } from '#test/support/mixed-history';
import { ProjectorHarness, sampleManifest } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

const MANIFEST =
  'Content of this source is missing: the manifest of generation 1. Sync the source to rebuild it.';
const PACKS =
  'Content of this source is missing: 1 of 2 packs of generation 1. Sync the source to rebuild it.';

const definition = {
  source_type: 'repo',
  url: 'https://example.org/a.git',
  include_patterns: [],
  exclude_patterns: [],
};

describe('the index projection where content is lost', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;
  let projector: Projector | undefined;

  beforeAll(async () => {
    opened = await openTestReadModel();
  });
  beforeEach(async () => {
    await opened.begin();
    fixture = new ProjectorHarness(opened.readModel);
    publish('lost', 1);
    publish('kept', 1);
    await fixture.project();
  });
  afterEach(async () => {
    await projector?.stop();
    projector = undefined;
  });
  afterAll(() => opened.close());

  const packOf = (source: string, pack: number) => `${source}-pack-${pack}`;

  function publish(source_id: string, generation: number): void {
    const manifest = manifestHash(source_id, generation);
    const packs = [0, 1].map((pack) => ({
      hash: packOf(source_id, pack),
      chunks: 2,
      dropped_count: 0,
    }));
    for (const { hash } of packs) fixture.blobs.putAs(hash, hash);
    fixture.blobs.putAs(manifest, { ...sampleManifest(TENANT_A, source_id, generation, 4), packs });
    const job_id = `${source_id}-${generation}`;
    const outcome = { manifest, version_ref: 'v', file_count: 1, chunk_count: 4 };
    const counters = {
      files_processed: 1,
      chunks_created: 4,
      chunks_updated: 0,
      chunks_deleted: 0,
    };
    if (generation === 1) {
      fixture.given({
        type: 'SourceRegistered',
        data: { source_id, name: source_id, definition: { ...definition, source_type: 'repo' } },
      });
    }
    fixture.given(
      { type: 'SourceSyncRequested', data: { source_id, job_id } },
      {
        type: 'JobStaged',
        data: { job_id, source_id, generation, attempt: 1, ...outcome, stage_details: {} },
      },
      { type: 'JobCompleted', data: { job_id, source_id, generation, ...outcome, ...counters } },
    );
  }

  /**
   * Starts a projector and waits until the row of a source's first generation has the expected
   * values.
   */
  async function restarted(source: string, expected: Partial<GenerationView>): Promise<void> {
    await projector?.stop();
    projector = fixture.projector();
    await projector.start();
    await projector.caughtUp();
    await expectSoon(() => row(source), expected);
  }

  const row = (source: string, generation = 1) =>
    opened.readModel.ask(getGeneration, TENANT_A, source, generation);
  const view = (source: string) => opened.readModel.ask(getSource, TENANT_A, source);
  const listed = async (status: 'synced' | 'error' | 'syncing') => {
    const { sources, total } = await opened.readModel.ask(listSources, TENANT_A, {
      skip: 0,
      limit: 10,
      status,
    });
    expect(total).toBe(sources.length);
    return sources.map(({ id, last_error }) => [id, last_error]);
  };

  async function expectSameWhenRebuilt(): Promise<void> {
    const before = await fixture.dump('generations');
    await projector?.rebuild('generations');
    expect(await fixture.dump('generations')).toBe(before);
  }

  it('shows missing content of a source that the index still has, and rebuilds to the same rows', async () => {
    fixture.blobs.remove(manifestHash('lost', 1));
    await restarted('lost', { state: 'ready', loaded_chunk_count: 4, message: MANIFEST });
    expect(await row('kept')).toMatchObject({ state: 'ready', message: null });
    expect(await view('lost')).toMatchObject({
      status: 'error',
      last_error: MANIFEST,
      chunk_count: 4,
    });
    expect(await view('kept')).toMatchObject({ status: 'synced', last_error: null });
    expect(await listed('error')).toEqual([['lost', MANIFEST]]);
    expect(await listed('synced')).toEqual([['kept', null]]);
    expect((await opened.readModel.asOf('generations', listContentGaps)).rows).toEqual([
      {
        tenant_id: TENANT_A,
        source_id: 'lost',
        generation: 1,
        searchable: true,
        message: MANIFEST,
      },
    ]);
    expect(await opened.readModel.ask(getSource, TENANT_B, 'lost')).toBeNull();
    await expectSameWhenRebuilt();
  });

  it('says that it cannot be loaded where the index is lost too, and loads the others', async () => {
    fixture.blobs.remove(manifestHash('lost', 1));
    fixture.searchIndex.loaded.clear();
    await restarted('lost', { state: 'failed', loaded_chunk_count: null, message: MANIFEST });
    expect(await row('kept')).toMatchObject({ state: 'ready', message: null });
    expect(await listed('error')).toEqual([['lost', MANIFEST]]);
    expect((await opened.readModel.asOf('generations', listContentGaps)).rows).toMatchObject([
      { source_id: 'lost', searchable: false },
    ]);
    await expectSameWhenRebuilt();
  });

  it('counts the packs that are missing, a damaged one among them once it has to be read', async () => {
    fixture.blobs.remove(packOf('lost', 1));
    fixture.blobs.damage(packOf('kept', 0));
    await restarted('lost', { state: 'ready', message: PACKS });
    expect(await row('kept')).toMatchObject({ message: null });
    await expectSameWhenRebuilt();
    fixture.searchIndex.loaded.clear();
    fixture.searchIndex.onApply = async ({ packs }) => {
      for (const { hash } of packs) await fixture.blobs.get(hash);
    };
    await restarted('kept', { state: 'failed', message: PACKS });
    expect(await row('lost')).toMatchObject({ state: 'failed', message: PACKS });
    await expectSameWhenRebuilt();
  });

  it('takes it back when the content is there again, whole', async () => {
    fixture.blobs.remove(packOf('lost', 0));
    await restarted('lost', { state: 'ready', message: PACKS });
    fixture.blobs.putAs(packOf('lost', 0), 'back');
    fixture.blobs.damage(packOf('lost', 0));
    await restarted('lost', { state: 'ready', message: PACKS });
    fixture.blobs.putAs(packOf('lost', 0), 'back');
    await restarted('lost', { state: 'ready', message: null });
    expect(await view('lost')).toMatchObject({ status: 'synced', last_error: null });
  });

  it('loads what could not be loaded when the content is there again', async () => {
    fixture.blobs.remove(manifestHash('lost', 1));
    fixture.searchIndex.loaded.clear();
    await restarted('lost', { state: 'failed' });
    publish('lost', 2);
    const packs = [0, 1].map((pack) => ({
      hash: packOf('lost', pack),
      chunks: 2,
      dropped_count: 0,
    }));
    fixture.blobs.putAs(manifestHash('lost', 1), {
      ...sampleManifest(TENANT_A, 'lost', 1, 4),
      packs,
    });
    await restarted('lost', { state: 'ready', loaded_chunk_count: 4, message: null });
    expect(await view('lost')).toMatchObject({ status: 'synced', last_error: null });
  });

  it('shows a healed source as synced, and one that syncs or failed to sync as that', async () => {
    fixture.blobs.remove(manifestHash('lost', 1));
    await restarted('lost', { message: MANIFEST });
    fixture.given({ type: 'SourceSyncRequested', data: { source_id: 'lost', job_id: 'j' } });
    await expectSoon(() => view('lost'), { status: 'syncing', last_error: MANIFEST });
    expect(await listed('syncing')).toEqual([['lost', MANIFEST]]);
    const failure = { error_message: 'No such branch.', error_details: null };
    fixture.given({ type: 'JobFailed', data: { job_id: 'j', source_id: 'lost', ...failure } });
    const both = `${MANIFEST} The last sync failed: No such branch.`;
    await expectSoon(() => view('lost'), { status: 'error', last_error: both });
    publish('lost', 2);
    await expectSoon(() => view('lost'), { status: 'synced', last_error: null });
    await expectSoon(() => row('lost', 2), { state: 'ready', message: null });
  });

  it('notes what somebody found, once, and only of what is loaded', async () => {
    let reported = 0;
    await restarted('lost', { state: 'ready', message: null });
    const stop = opened.readModel.onProgress('generations', () => (reported += 1));
    const lost = { tenantId: TENANT_A, sourceId: 'lost', generation: 1 };
    await projector?.noteContent(lost, PACKS);
    await projector?.noteContent(lost, PACKS);
    await projector?.noteContent({ ...lost, generation: 7 }, PACKS);
    expect([reported, (await view('lost'))?.last_error]).toEqual([1, PACKS]);
    await projector?.noteContent(lost, null);
    expect([reported, (await view('lost'))?.last_error]).toEqual([2, null]);
    stop();
  });
});

async function expectSoon<T extends object>(
  read: () => Promise<T | null>,
  expected: Partial<T>,
): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const found = await read();
    const differs = Object.entries(expected).some(
      ([field, value]) => found?.[field as keyof T] !== value,
    );
    if (!differs || Date.now() > deadline) return expect(found).toMatchObject(expected);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
