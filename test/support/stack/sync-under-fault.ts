import { setTimeout as delay } from 'node:timers/promises';

import { expect } from '@jest/globals';

import { JOB_STAGES, type JobStage } from '#contracts';

import type { ApiClient, JobView, SourceView } from '../api-client.js';
import { TestRepository } from '../git-repository.js';
import { plausibleFiles } from '../plausible-files.js';
import type { TwoTenantService } from '../two-tenants.js';

const TIMEOUT_MS = 120_000;

/** The result of an undisturbed sync of the repository. */
interface Expected {
  readonly files: number;
  readonly chunks: number;
}

/** Syncs of one repository that faults befall, measured by one that nothing befell. */
export class SyncsUnderFault {
  private syncs = 1;
  private deleted = 0;

  private constructor(
    readonly service: TwoTenantService,
    readonly repository: TestRepository,
    /** The source of the undisturbed sync. */
    readonly reference: SourceView,
    readonly expected: Expected,
  ) {}

  /** Makes a repository of `files` files and syncs it once. */
  static async prepare(service: TwoTenantService, files: number): Promise<SyncsUnderFault> {
    const repository = TestRepository.create(`${service.scratch}/repo`, plausibleFiles(files));
    const reference = await service.first.createRepo('Reference', repository.url);
    const job = await service.first.syncToEnd(reference.id, TIMEOUT_MS);
    expect(job.files_processed).toBe(files);
    return new SyncsUnderFault(service, repository, reference, {
      files,
      chunks: job.chunks_created,
    });
  }

  /** Requests a sync of a source of its own. @returns the job's id. */
  async begin(name: string): Promise<string> {
    const { id } = await this.service.first.createRepo(name, this.repository.url);
    this.syncs += 1;
    return this.service.first.sync(id);
  }

  /** A sync of a source that the test deleted: its job is still listed, its source is not. */
  forget(): void {
    this.deleted += 1;
  }

  /**
   * Waits until the job is at the stage or past it, and expects it not to have ended. @returns the
   * stage it is at.
   */
  async until(jobId: string, stage: JobStage): Promise<JobStage> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const job = await this.service.first.job(jobId);
      const at = job.stage as JobStage;
      if (job.status !== 'pending' && job.status !== 'running')
        throw new Error(`Too late: ${JSON.stringify(job)}`);
      if (JOB_STAGES.indexOf(at) >= JOB_STAGES.indexOf(stage)) return at;
      if (Date.now() > deadline) throw new Error(`Still before ${stage}: ${JSON.stringify(job)}`);
      await delay(10);
    }
  }

  /** Expects the job to complete with as many chunks as the undisturbed one. */
  async completes(jobId: string, client: ApiClient = this.service.first): Promise<JobView> {
    const job = await client.finished(jobId, TIMEOUT_MS);
    expect(job).toMatchObject({ status: 'completed', chunks_created: this.expected.chunks });
    return job;
  }

  /**
   * Nothing is missing, doubled or left open, in the sources, the jobs, the search and by the
   * doctor's report.
   */
  async expectWhole(): Promise<void> {
    const { first } = this.service;
    const { jobs, total } = await first.expect<{ jobs: JobView[]; total: number }>(
      'GET',
      '/jobs?limit=100',
    );
    expect([total - this.deleted, new Set(jobs.map(({ status }) => status))]).toEqual([
      this.syncs,
      new Set(['completed']),
    ]);
    const { sources } = await first.expect<{ sources: SourceView[] }>('GET', '/sources?limit=100');
    const { files: file_count, chunks: chunk_count } = this.expected;
    for (const source of sources.filter(({ status }) => status !== 'pending')) {
      expect(source).toMatchObject({ status: 'synced', file_count, chunk_count });
    }
    expect(sources.filter(({ status }) => status !== 'pending')).toHaveLength(this.syncs);
    const { results = [] } = await first.search('add11Part3', { source_ids: [this.reference.id] });
    expect(results[0]?.content).toContain('add11Part3');
    expect(new Set(results.map(({ citation }) => citation.chunk_id)).size).toBe(results.length);
    expect(await this.service.operate('doctor')).toMatchObject({ ok: true });
  }
}
