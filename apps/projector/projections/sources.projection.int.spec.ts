import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Audience, TENANT_AUDIENCE } from '#contracts';
import { getJob, getSource, listJobs, listLiveSources, listSources } from '#read-model';
import { ProjectorHarness } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';
import { TENANT_A, TENANT_B } from '#test/support/sample-events';

const HASH = 'a'.repeat(64);
const definition = {
  source_type: 'repo' as const,
  url: 'https://example.org/a.git',
  branch: 'main',
  include_patterns: [],
  exclude_patterns: [],
};

describe('the sources and jobs read models', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;

  beforeAll(async () => {
    opened = await openTestReadModel();
    fixture = new ProjectorHarness(opened.readModel);
    fixture.given(
      { type: 'TenantCreated', data: { tenant_id: TENANT_A, name: 'A' } },
      { type: 'SourceRegistered', data: { source_id: 's1', name: 'One', definition } },
      {
        type: 'SourceRegistered',
        data: { source_id: 's2', name: 'Two', definition },
        by: { tenant_id: TENANT_B, occurred_at: '2026-01-02T03:04:06.000Z' },
      },
    );
    await fixture.project();
  });
  afterAll(() => opened.close());

  it('shows a new source as the interface has it', async () => {
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toEqual({
      id: 's1',
      name: 'One',
      source_type: 'repo',
      status: 'pending',
      url: 'https://example.org/a.git',
      branch: 'main',
      has_credentials: false,
      include_patterns: [],
      exclude_patterns: [],
      file_count: 0,
      chunk_count: 0,
      version_ref: null,
      last_job_id: null,
      last_error: null,
      sync_message: null,
      sync_interval_seconds: 0,
      next_sync_at: null,
      has_push_hook: false,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.678Z',
    });
  });

  it("answers another tenant's source as an unknown one", async () => {
    expect(await opened.readModel.ask(getSource, TENANT_B, 's1')).toBeNull();
    expect(await opened.readModel.ask(listSources, TENANT_B, { skip: 0, limit: 50 })).toMatchObject(
      {
        sources: [{ id: 's2' }],
        total: 1,
      },
    );
  });

  it('follows a sync from the request to the published version', async () => {
    fixture.given(
      { type: 'SourceSyncRequested', data: { source_id: 's1', job_id: 'j1' } },
      requested('j1'),
    );
    await fixture.project();
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toMatchObject({
      status: 'syncing',
      last_job_id: 'j1',
    });
    expect(await opened.readModel.ask(getJob, TENANT_A, 'j1')).toMatchObject({
      status: 'pending',
      stage: 'queued',
      progress_percent: 0,
      started_at: null,
      error_message: null,
    });

    fixture.given(
      { type: 'JobStageStarted', data: { job_id: 'j1', stage: 'fetch', attempt: 1, worker: 'w' } },
      completed('j1', 3),
    );
    await fixture.project();
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toMatchObject({
      status: 'synced',
      chunk_count: 3,
      version_ref: 'c0ffee',
      last_sync_completed: '2026-01-02T03:04:05.678Z',
    });
    const job = await opened.readModel.ask(getJob, TENANT_A, 'j1');
    expect(job).toMatchObject({ status: 'completed', progress_percent: 100 });
    const at = '2026-01-02T03:04:05.678Z';
    expect(job?.timeline).toEqual([
      { stage: 'fetch', attempt: 1, started_at: at, ended_at: at, outcome: 'completed' },
    ]);
    const live = await opened.readModel.asOf('sources', listLiveSources);
    expect(live.rows).toEqual([
      {
        tenant_id: TENANT_A,
        source_id: 's1',
        name: 'One',
        audience: TENANT_AUDIENCE,
        source_type: 'repo',
        generation: 1,
        version_ref: 'c0ffee',
        url: 'https://example.org/a.git',
        manifest: HASH,
        synced_at: '2026-01-02T03:04:05.678Z',
      },
    ]);
    expect(live.position).toBe(await fixture.store.head());
  });

  it('returns to its earlier status when a sync is cancelled, and shows why one failed', async () => {
    fixture.given(
      { type: 'SourceSyncRequested', data: { source_id: 's1', job_id: 'j2' } },
      requested('j2'),
      {
        type: 'JobCancelled',
        data: { job_id: 'j2', source_id: 's1' },
      },
    );
    await fixture.project();
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toMatchObject({
      status: 'synced',
      last_job_id: 'j2',
    });

    const retry_at = '2026-01-02T03:05:00.000Z';
    const failure = {
      error_message: 'No such branch',
      error_details: { url: 'https://example.org/a.git' },
    };
    fixture.given(
      { type: 'SourceSyncRequested', data: { source_id: 's1', job_id: 'j3' } },
      requested('j3'),
      { type: 'JobStageStarted', data: { job_id: 'j3', stage: 'fetch', attempt: 1, worker: 'w' } },
      {
        type: 'JobStageFailed',
        data: {
          job_id: 'j3',
          stage: 'fetch',
          attempt: 1,
          ...failure,
          retryable: true,
          retry_count: 1,
          retry_at,
        },
      },
    );
    await fixture.project();
    const waiting = await opened.readModel.ask(getJob, TENANT_A, 'j3');
    expect(waiting).toMatchObject({ status: 'running', retry_count: 1, error_message: null });
    expect(waiting?.progress_message).toContain(retry_at);
    const message = `Stage fetch failed: No such branch. It is tried again at ${retry_at}`;
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toMatchObject({
      status: 'syncing',
      sync_message: message,
    });
    expect(
      (await opened.readModel.ask(listSources, TENANT_A, { skip: 0, limit: 50 })).sources,
    ).toContainEqual(expect.objectContaining({ id: 's1', sync_message: message }));

    fixture.given({ type: 'JobFailed', data: { job_id: 'j3', source_id: 's1', ...failure } });
    await fixture.project();
    expect(await opened.readModel.ask(getJob, TENANT_A, 'j3')).toMatchObject({
      status: 'failed',
      ...failure,
    });
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toMatchObject({
      status: 'error',
      last_error: 'No such branch',
      sync_message: null,
      version_ref: 'c0ffee',
    });
  });

  it('forgets a removed source whatever its jobs still say, and keeps its jobs', async () => {
    fixture.given({ type: 'SourceRemoved', data: { source_id: 's1' } }, completed('j3', 1));
    await fixture.project();
    expect(await opened.readModel.ask(getSource, TENANT_A, 's1')).toBeNull();
    expect((await opened.readModel.asOf('sources', listLiveSources)).rows).toEqual([]);
    const jobs = await opened.readModel.ask(listJobs, TENANT_A, {
      skip: 0,
      limit: 50,
      source_id: 's1',
    });
    expect(jobs.jobs.map(({ id }) => id)).toEqual(['j3', 'j2', 'j1']);
  });

  it.each<[string, Audience]>([
    ['linked', { kind: 'linked' }],
    ['system', { kind: 'system' }],
    ['conversation', { kind: 'conversation', conversation_id: 'c1' }],
    ['research', { kind: 'research', repository: 'team/app', commit: 'c0ffee' }],
  ])(
    'shows its tenant neither a source nor the jobs of a source for the audience %s',
    async (kind, audience) => {
      const [source_id, job_id] = [`s-${kind}`, `j-${kind}`];
      const job = requested(job_id);
      fixture.given(
        { type: 'SourceRegistered', data: { source_id, name: 'Other', definition, audience } },
        { type: 'SourceUpdated', data: { source_id, name: 'Renamed' } },
        { type: 'SourceSyncRequested', data: { source_id, job_id } },
        { ...job, data: { ...job.data, source_id, audience } },
        { ...completed(job_id, 1), data: { ...completed(job_id, 1).data, source_id } },
      );
      const shown = await Promise.all([listed(), jobsOf()]);
      await fixture.project();
      expect(await Promise.all([listed(), jobsOf()])).toEqual(shown);
      expect(
        await opened.readModel.ask(listSources, TENANT_A, { skip: 0, limit: 50, status: 'synced' }),
      ).toEqual(expect.objectContaining({ sources: [], total: 0 }));
      expect(await opened.readModel.ask(getSource, TENANT_A, source_id)).toBeNull();
      expect(await opened.readModel.ask(getJob, TENANT_A, job_id)).toBeNull();
      expect(await jobsOf(source_id)).toEqual({ jobs: [], total: 0 });
      const { rows: sources } = await opened.readModel.asOf('sources', listLiveSources);
      expect(sources).toContainEqual(
        expect.objectContaining({ source_id, name: 'Renamed', audience }),
      );

      fixture.given({ type: 'SourceRemoved', data: { source_id } });
      await fixture.project();
      expect(await opened.readModel.ask(getJob, TENANT_A, job_id)).toBeNull();
      expect(await jobsOf(source_id)).toEqual({ jobs: [], total: 0 });
    },
  );

  const listed = () => opened.readModel.ask(listSources, TENANT_A, { skip: 0, limit: 50 });
  const jobsOf = (source_id?: string) =>
    opened.readModel.ask(listJobs, TENANT_A, {
      skip: 0,
      limit: 50,
      ...(source_id === undefined ? {} : { source_id }),
    });

  function requested(job_id: string) {
    return {
      type: 'JobRequested' as const,
      data: {
        job_id,
        source_id: 's1',
        url: definition.url,
        source_revision: 0,
        generation: 1,
        base: null,
        max_retries: 3,
      },
    };
  }

  function completed(job_id: string, chunk_count: number) {
    const counters = {
      files_processed: 1,
      chunks_created: chunk_count,
      chunks_updated: 0,
      chunks_deleted: 0,
    };
    return {
      type: 'JobCompleted' as const,
      data: {
        job_id,
        source_id: 's1',
        generation: 1,
        manifest: HASH,
        version_ref: 'c0ffee',
        url: definition.url,
        file_count: 1,
        chunk_count,
        ...counters,
      },
    };
  }
});
