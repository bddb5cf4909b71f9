import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type DomainEvent, type Position, TENANT_AUDIENCE } from '#contracts';
import { liveSourcesAt } from '#read-model';
import { ProjectorHarness } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

const definition = {
  source_type: 'docs' as const,
  docs_format: 'html' as const,
  url: 'https://example.org',
  include_patterns: [],
  exclude_patterns: [],
};

const UPLOADED = { kind: 'conversation' as const, conversation_id: 'c1' };
const ours = { tenant_id: TENANT_A, audience: TENANT_AUDIENCE };

const urlOf = (generation: number) => `https://example.org/${generation}`;

function completed(source_id: string, generation: number): DomainEvent {
  const counts = { file_count: 1, chunk_count: 1, files_processed: 1 };
  const changes = { chunks_created: 1, chunks_updated: 0, chunks_deleted: 0 };
  const outcome = {
    generation,
    manifest: 'a'.repeat(64),
    version_ref: `v${generation}`,
    url: urlOf(generation),
    ...counts,
    ...changes,
  };
  return {
    type: 'JobCompleted',
    data: { job_id: `${source_id}-${generation}`, source_id, ...outcome },
  };
}

describe('the history of sources', () => {
  let opened: TestReadModel;
  let places: readonly Position[];

  beforeAll(async () => {
    opened = await openTestReadModel();
    const fixture = new ProjectorHarness(opened.readModel);
    const events = fixture.given(
      { type: 'SourceRegistered', data: { source_id: 's1', name: 'One', definition } },
      { ...completed('s1', 1), by: { occurred_at: '2026-01-02T00:00:00.000Z' } },
      { type: 'SourceUpdated', data: { source_id: 's1', name: 'Renamed' } },
      {
        type: 'SourceUpdated',
        data: { source_id: 's1', definition: { ...definition, docs_format: 'openapi' } },
      },
      { type: 'SourceRegistered', data: { source_id: 's2', name: 'Two', definition } },
      { ...completed('s2', 1), by: { occurred_at: '2026-01-03T00:00:00.000Z' } },
      { ...completed('s1', 2), by: { occurred_at: '2026-01-04T00:00:00.000Z' } },
      { type: 'GenerationDropped', data: { source_id: 's1', generation: 1, reason: 'superseded' } },
      { type: 'SourceRemoved', data: { source_id: 's2' } },
      {
        type: 'SourceRegistered',
        data: { source_id: 's3', name: 'Theirs', definition },
        by: { tenant_id: TENANT_B },
      },
      { ...completed('s3', 1), by: { tenant_id: TENANT_B } },
      {
        type: 'SourceRegistered',
        data: { source_id: 's4', name: 'Upload', definition, audience: UPLOADED },
        by: { tenant_id: TENANT_B },
      },
      {
        type: 'SourceUpdated',
        data: { source_id: 's4', name: 'Paper' },
        by: { tenant_id: TENANT_B },
      },
      { ...completed('s4', 1), by: { tenant_id: TENANT_B } },
    );
    places = events.map(({ position }) => position);
    await fixture.project();
  });
  afterAll(() => opened.close());

  const liveAfter = (event: number, tenant = TENANT_A) =>
    opened.readModel.ask(liveSourcesAt, tenant, places[event] as Position);

  it('returns nothing before the first sync', async () => {
    expect(await liveAfter(0)).toEqual([]);
  });

  it('returns name, kind, generation and time as they were, and marks a dropped generation as gone', async () => {
    const first = {
      ...ours,
      source_id: 's1',
      generation: 1,
      version_ref: 'v1',
      url: urlOf(1),
      synced_at: '2026-01-02T00:00:00.000Z',
    };
    expect(await liveAfter(1)).toEqual([
      { ...first, name: 'One', kind: 'docs_html', dropped: true },
    ]);
    expect(await liveAfter(3)).toEqual([
      { ...first, name: 'Renamed', kind: 'docs_openapi', dropped: true },
    ]);
  });

  it('returns every live source, and marks a source that was removed since as gone', async () => {
    const second = {
      ...ours,
      source_id: 's1',
      generation: 2,
      version_ref: 'v2',
      url: urlOf(2),
      synced_at: '2026-01-04T00:00:00.000Z',
    };
    const two = {
      ...ours,
      source_id: 's2',
      generation: 1,
      version_ref: 'v1',
      url: urlOf(1),
      synced_at: '2026-01-03T00:00:00.000Z',
    };
    const renamed = { ...second, name: 'Renamed', kind: 'docs_openapi', dropped: false };
    expect(await liveAfter(7)).toEqual([
      renamed,
      { ...two, name: 'Two', kind: 'docs_html', dropped: true },
    ]);
    expect(await liveAfter(8)).toEqual([renamed]);
  });

  it('returns the audience of each source', async () => {
    const reported = await liveAfter(13, TENANT_B);
    expect(reported.map(({ name, audience }) => [name, audience])).toEqual([
      ['Theirs', TENANT_AUDIENCE],
      ['Paper', UPLOADED],
    ]);
  });

  it('shows a tenant nothing of another', async () => {
    expect((await liveAfter(10)).map(({ source_id }) => source_id)).toEqual(['s1']);
    expect((await liveAfter(10, TENANT_B)).map(({ source_id }) => source_id)).toEqual(['s3']);
  });
});
