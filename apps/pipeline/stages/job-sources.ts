import { LRUCache } from 'lru-cache';

import type { SourceDefinition } from '#contracts';
import { type JobTerms, sourceDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';

/** The definition that a sync reads, and the credentials for it. */
export interface JobSource {
  readonly definition: SourceDefinition;
  /** Sealed; absent: none. */
  readonly credentials?: string;
}

/** Maximum number of definitions in memory: 64 of 64 KiB are 4 MiB. */
const MAX_CACHED = 64;

/**
 * Resolves the definition that a job refers to: the source as its stream was at the job's
 * `source_revision`. A revision never changes, so that a scheduled sync of a source finds it in
 * memory.
 */
export class JobSources {
  /** By source and revision. */
  private readonly cached = new LRUCache<string, Promise<JobSource>>({ max: MAX_CACHED });

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** @throws what reading the log throws; Error where the log has no such source. */
  of(job: JobTerms): Promise<JobSource> {
    const { definition, credentials, source_id, source_revision } = job;
    if (definition)
      return Promise.resolve({ definition, ...(credentials !== undefined && { credentials }) });
    if (source_revision === undefined) throw new Error(`Job ${job.job_id} refers to no definition`);
    const key = `${source_id}/${source_revision}`;
    const cached = this.cached.get(key);
    if (cached) return cached;
    const source = this.read(source_id, source_revision);
    this.cached.set(key, source);
    source.catch(() => this.cached.delete(key));
    return source;
  }

  private async read(sourceId: string, revision: number): Promise<JobSource> {
    const until = { revision: BigInt(revision) };
    const { state, ...folded } = await foldStream(this.store, sourceDecider, `source-${sourceId}`, {
      until,
    });
    if (state.status === 'absent' || folded.revision !== until.revision) {
      throw new Error(`The log has no revision ${revision} of source ${sourceId}`);
    }
    const { definition, credentials } = state;
    return { definition, ...(credentials !== null && { credentials }) };
  }
}
