import type { JobView, SourceView } from '#test/support/api-client';

import { type PatientClient, RefusedError } from './soaked-service.js';

/** The promises to one tenant: each source by its unique name, each job by its id. */
export class Ledger {
  readonly sources = new Map<string, string>();
  readonly jobs = new Set<string>();

  constructor(readonly client: PatientClient) {}

  async register(name: string, url: string, fields: object = {}): Promise<string> {
    const body = { name, source_type: 'repo', url, ...fields };
    const { id } = await this.client.patiently<SourceView>('POST', '/sources', body);
    this.sources.set(name, id);
    return id;
  }

  async sync(sourceId: string): Promise<string> {
    const { job_id } = await this.client.patiently<{ job_id: string }>(
      'POST',
      `/sources/${sourceId}/sync`,
    );
    this.jobs.add(job_id);
    return job_id;
  }

  /** The same; a source that syncs already is left to it. */
  async syncUnlessUnderWay(sourceId: string): Promise<void> {
    await this.sync(sourceId).catch((error: unknown) => {
      if (!(error instanceof RefusedError && error.code === 'sync_in_progress')) throw error;
    });
  }

  job(id: string): Promise<JobView> {
    return this.client.patiently<JobView>('GET', `/jobs/${id}`);
  }
}
