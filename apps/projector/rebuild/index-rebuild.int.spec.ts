import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { createProjector, type Projector } from '#apps/projector/projector';
import { FootnoteError } from '#contracts';
import { silentLogger } from '#platform';
import { getGeneration } from '#read-model/queries/generations.query';
import { openSegmentIndex, type SearchIndex } from '#search-index';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';
import { manifestHash } from '#test/support/mixed-history';
import { FakeBlobs, ProjectorHarness, sampleManifest } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A } from '#test/support/sample-events';
import { tempDir } from '#test/support/temp-dir';

describe('rebuilding the search index', () => {
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

  function stage(
    source_id: string,
    generation: number,
    chunk_count: number,
    manifest: object,
  ): void {
    const hash = manifestHash(source_id, generation);
    fixture.blobs.putAs(hash, manifest);
    const ids = { job_id: `${source_id}-${generation}`, source_id, generation, attempt: 1 };
    const outcome = {
      manifest: hash,
      version_ref: 'v',
      file_count: 1,
      chunk_count,
      stage_details: {},
    };
    fixture.given({ type: 'JobStaged', data: { ...ids, ...outcome } });
  }

  async function started(): Promise<Projector> {
    projector = fixture.projector();
    await projector.start();
    await projector.caughtUp();
    return projector;
  }

  const sample = (source: string, generation: number, chunks: number): void =>
    stage(source, generation, chunks, sampleManifest(TENANT_A, source, generation, chunks));
  const row = (source: string, generation: number) =>
    opened.readModel.ask(getGeneration, TENANT_A, source, generation);
  const keys = (): string[] =>
    [...fixture.searchIndex.loaded.keys()].map((key) => key.slice(TENANT_A.length + 1)).sort();

  describe('of the embedded engine', () => {
    const tenant = uuidOf('tenant');
    const sketch = { path: 'a.ts', text: 'evict the oldest entry' };
    const folder = tempDir('footnote-rebuilt-');
    let index: SearchIndex;
    let source: IndexedSource;
    let reading: Promise<void> = Promise.resolve();
    let onRead: () => void = () => undefined;

    class PackBlobs extends FakeBlobs {
      override async get(hash: string): Promise<Uint8Array> {
        onRead();
        await reading;
        return fixture.blobs.get(hash).catch(() => source.readBlob(hash));
      }
    }

    afterEach(async () => {
      await projector?.stop();
      await index.close();
      folder.remove();
    });

    it('heals damaged files and lost records, while searches go on in the one that serves', async () => {
      source = new IndexedSource(tenant, uuidOf('source'));
      index = await openSegmentIndex({ directory: folder.path });
      const hash = manifestHash(source.sourceId, 1);
      fixture.blobs.putAs(hash, source.manifest(1, [source.pack([sketch])]));
      const ids = { job_id: 'j', source_id: source.sourceId, generation: 1, attempt: 1 };
      const outcome = {
        manifest: hash,
        version_ref: 'v',
        file_count: 1,
        chunk_count: 1,
        stage_details: {},
      };
      fixture.given({ type: 'JobStaged', data: { ...ids, ...outcome }, by: { tenant_id: tenant } });
      const { store: eventStore, readModel } = fixture;
      const dependencies = {
        eventStore,
        readModel,
        searchIndex: index,
        blobs: new PackBlobs(),
        logger: silentLogger,
      };
      projector = createProjector(dependencies);
      await projector.start();
      await projector.caughtUp();

      const inTenant = (...names: string[]) => join(folder.path, tenant, ...names);
      const [segment = ''] = readdirSync(inTenant('segments'));
      const whole = readFileSync(inTenant('segments', segment));
      writeFileSync(inTenant('segments', segment), Buffer.from(whole).fill(0xff, 1_000));
      rmSync(inTenant('generations', `${source.sourceId}.1.json`));
      const blobs = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      reading = blobs.promise;
      onRead = begun.resolve;
      const rebuilding = projector.rebuild('generations');
      await begun.promise;
      const live = source.at(1);
      const asked = { tenants: [live.tenantId], scope: [live], corpus: [live] };
      const query = { ...asked, terms: ['evict'], identifiers: [], limit: 5 };
      const found = () => index.candidates({ ...query, vectorFor: () => Promise.resolve(null) });
      expect((await found()).candidates).toHaveLength(1);
      blobs.resolve();
      expect(await rebuilding).toMatchObject([{ name: 'generations', rows: 1, rowsBefore: 1 }]);
      expect((await found()).candidates).toHaveLength(1);
      expect(await index.contents(live, [source.idOf(sketch)])).toEqual([sketch.text]);

      await projector.stop();
      await index.close();
      // No blob is left to repair it from: all serving data is on the disk.
      index = await openSegmentIndex({ directory: folder.path });
      expect(await index.generations()).toEqual([live]);
      expect(await index.contents(live, [source.idOf(sketch)])).toEqual([sketch.text]);
    });
  });

  it('restores lost generations and leaves out those that the log does not know', async () => {
    sample('s1', 1, 4);
    sample('s2', 1, 2);
    const live = await started();
    fixture.searchIndex.loaded.delete(`${TENANT_A}/s1/1`);
    const orphan = { tenantId: TENANT_A, sourceId: 'nobody', generation: 1, chunks: 3 };
    fixture.searchIndex.loaded.set(`${TENANT_A}/nobody/1`, orphan);
    await live.rebuild('generations');
    expect(keys()).toEqual(['s1/1', 's2/1']);
  });

  it('has generations that were staged during the rebuild, and not those that were dropped', async () => {
    sample('s1', 1, 4);
    sample('s2', 1, 2);
    const live = await started();
    const going = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    fixture.searchIndex.onApply = ({ source_id, generation }) => {
      if (source_id !== 's1' || generation !== 1) return undefined;
      begun.resolve();
      return going.promise;
    };
    const rebuilding = live.rebuild('generations');
    await begun.promise;
    sample('s3', 1, 5);
    fixture.given({
      type: 'GenerationDropped',
      data: { source_id: 's2', generation: 1, reason: 'superseded' },
    });
    await until(() => keys().join() === 's1/1,s3/1');
    going.resolve();
    await rebuilding;
    await until(() => keys().join() === 's1/1,s3/1');
    expect(await row('s3', 1)).toMatchObject({ state: 'ready', loaded_chunk_count: 5 });
  });

  it('keeps the old index, with the reason, when a generation that it serves cannot be rebuilt', async () => {
    sample('s1', 1, 4);
    sample('s2', 1, 2);
    const live = await started();
    fixture.searchIndex.loaded.delete(`${TENANT_A}/s2/1`);
    fixture.blobs.putAs(manifestHash('s1', 1), {
      ...sampleManifest(TENANT_A, 's1', 1, 4),
      format: 2,
    });
    const dump = await fixture.dump('generations');
    await expect(live.rebuild('generations')).rejects.toThrow(
      /^Generation 1 of source s1 cannot be built again, so the search index stays as it was: Manifest/,
    );
    fixture.blobs.putAs(manifestHash('s1', 1), sampleManifest(TENANT_A, 's1', 1, 3));
    await expect(live.rebuild('generations')).rejects.toThrow(
      'has 3 chunks when built again and 4 in the log',
    );
    expect([keys(), await fixture.dump('generations')]).toEqual([['s1/1'], dump]);
  });

  it('leaves the old one when it is stopped in the middle', async () => {
    sample('s1', 1, 4);
    const live = await started();
    const begun = Promise.withResolvers<void>();
    fixture.searchIndex.onApply = () => {
      begun.resolve();
      throw new FootnoteError('engine_unavailable', 'away');
    };
    const rebuilding = expect(live.rebuild('generations')).rejects.toThrow();
    await begun.promise;
    await live.stop();
    await rebuilding;
    expect([keys(), await row('s1', 1)]).toMatchObject([['s1/1'], { state: 'ready' }]);
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
