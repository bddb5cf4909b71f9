import type { SourceDefinition } from '#contracts';
import { sourceDecider, type JobTerms } from '#domain';
import { foldStream, type EventStore } from '#event-store';

/** The definition that a sync reads, and the credentials for it. */
export interface JobSource {
  readonly definition: SourceDefinition;
  /** Sealed; absent: none. */
  readonly credentials?: string;
}

/** The most definitions that stay in memory: 64 of 64 KiB are 4 MiB. */
const MOST_KEPT = 64;

/**
 * Resolves the definition that a job refers to: the source as its stream was at the job's `source_revision`. A revision
 * never changes, so that a scheduled sync of a source finds it in memory.
 */
export class JobSources {
  /** By source and revision, the one that was used last at the end. */
  private readonly kept = new Map<string, Promise<JobSource>>();

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** @throws what reading the log throws; Error where the log has no such source. */
  of(job: JobTerms): Promise<JobSource> {
    const { definition, credentials, source_id, source_revision } = job;
    if (definition) return Promise.resolve({ definition, ...(credentials !== undefined && { credentials }) });
    if (source_revision === undefined) throw new Error(`Job ${job.job_id} refers to no definition`);
    const key = `${source_id}/${source_revision}`;
    const source = this.kept.get(key) ?? this.read(source_id, source_revision);
    this.kept.delete(key);
    this.kept.set(key, source);
    source.catch(() => this.kept.delete(key));
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(oldest);
    }
    return source;
  }

  private async read(sourceId: string, revision: number): Promise<JobSource> {
    const until = { revision: BigInt(revision) };
    const { state, ...folded } = await foldStream(this.store, sourceDecider, `source-${sourceId}`, { until });
    if (state.status === 'absent' || folded.revision !== until.revision) {
      throw new Error(`The log has no revision ${revision} of source ${sourceId}`);
    }
    const { definition, credentials } = state;
    return { definition, ...(credentials !== null && { credentials }) };
  }
}
