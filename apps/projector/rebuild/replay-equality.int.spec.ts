import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { upcast } from '#event-store';
import { type ProjectionName, READ_TABLES } from '#read-model';
import { ERASED_TENANT, manifestHash, recordMixedHistory } from '#test/support/mixed-history';
import { ProjectorHarness, sampleManifest } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';

const EVENTS = 1_500;

describe('replay equality', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;
  let once: Record<string, string>;

  beforeAll(async () => {
    opened = await openTestReadModel();
    fixture = new ProjectorHarness(opened.readModel);
    recordMixedHistory(fixture.store, EVENTS, 1, true);
    for (const event of fixture.store.events) {
      if (event.type !== 'JobStaged') continue;
      const read = upcast(event).event.data as {
        source_id: string;
        generation: number;
        chunk_count: number;
      };
      const { source_id, generation, chunk_count } = read;
      const manifest = sampleManifest(event.metadata.tenant_id, source_id, generation, chunk_count);
      fixture.blobs.putAs(manifestHash(source_id, generation), manifest);
    }
    await fixture.project(500);
    once = await hashes();
  });
  afterAll(() => opened.close());

  it('has rows in every table, so that equality says something', async () => {
    for (const name of Object.keys(READ_TABLES)) {
      expect((await fixture.dump(name as ProjectionName)).length).toBeGreaterThan(0);
    }
  });

  it('leaves nothing of an erased tenant but that it was erased', async () => {
    const types = fixture.store.events.flatMap(({ type, metadata }) =>
      metadata.tenant_id === ERASED_TENANT ? type : [],
    );
    expect(types).toEqual(
      expect.arrayContaining(['SourceRegistered', 'JobStaged', 'ApiKeyIssued', 'TenantErased']),
    );
    for (const name of Object.keys(READ_TABLES)) {
      const rows = await fixture.dump(name as ProjectionName);
      // The trail of an erased tenant stays: it holds what the log has in the clear.
      const stays = name === 'tenants' || name === 'audit_records';
      expect([name, rows.includes(ERASED_TENANT)]).toEqual([name, stays]);
    }
    expect(await fixture.dump('tenants')).toContain('[erased]');
    expect(
      (await fixture.searchIndex.generations()).filter(
        ({ tenantId }) => tenantId === ERASED_TENANT,
      ),
    ).toEqual([]);
  });

  it.each([7, 1_000])(
    'gives the same bytes when rebuilt while the live version serves, in batches of %i',
    async (maxBatch) => {
      const projector = fixture.projector(maxBatch);
      await projector.start();
      const results = await projector.rebuild();
      await projector.stop();
      expect(results.map(({ name }) => name).sort()).toEqual(Object.keys(READ_TABLES).sort());
      for (const { rows, rowsBefore } of results) expect(rows).toBe(rowsBefore);
      expect(await hashes()).toEqual(once);
    },
  );

  it('gives the same bytes when each event is taken alone', async () => {
    const projector = fixture.projector(1);
    await projector.rebuild('sources');
    await projector.rebuild('jobs');
    expect(await hashes()).toEqual(once);
  });

  it('gives the same bytes when two projectors race, are stopped in the middle and taken up again', async () => {
    const second = new ProjectorHarness((await openedAgain()).readModel);
    second.store.events.push(...fixture.store.events);
    for (let round = 0; round < 4; round += 1) {
      const racers = [second.projector(3), second.projector(5)];
      await Promise.all(racers.map((racer) => racer.start()));
      await new Promise((resolve) => setTimeout(resolve, 150));
      await Promise.all(racers.map((racer) => racer.stop()));
    }
    const last = [second.projector(100), second.projector(70)];
    await Promise.all(last.map((racer) => racer.start()));
    await Promise.all(last.map((racer) => racer.caughtUp()));
    await Promise.all(last.map((racer) => racer.stop()));
    for (const name of ['sources', 'jobs', 'api_keys', 'policies', 'tenants'] as const) {
      expect([name, hash(await second.dump(name))]).toEqual([name, once[name]]);
    }
  });

  const others: TestReadModel[] = [];
  afterAll(() => Promise.all(others.map((other) => other.close())));

  async function openedAgain(): Promise<TestReadModel> {
    const other = await openTestReadModel();
    others.push(other);
    return other;
  }

  async function hashes(): Promise<Record<string, string>> {
    const entries = Object.keys(READ_TABLES).map(
      async (name) => [name, hash(await fixture.dump(name as ProjectionName))] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
