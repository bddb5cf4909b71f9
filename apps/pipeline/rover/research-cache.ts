import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

/** The event types that {@link ResearchCache} folds. */
export const RESEARCH_CACHE_TYPES = [
  'SourceRegistered',
  'SourceRemoved',
  'SourceSyncRequested',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
  'RoverRepositoryAttached',
  'RoverJobCompleted',
  'RoverJobFailed',
  'RoverJobCancelled',
] as const satisfies readonly DomainEvent['type'][];

/** Limits for the repositories that rover jobs read. */
export interface ResearchBounds {
  readonly chunks: number;
  readonly days: number;
}

/** A temporary source that exists. */
interface TemporarySource {
  readonly sourceId: string;
  readonly tenantId: string;
  /** Last attachment or publication, milliseconds since the epoch. */
  readonly usedAt: number;
  readonly chunks: number;
  /** A sync of it is pending or running. */
  readonly busy: boolean;
  /** Open rover jobs that attached it. */
  readonly jobs: readonly string[];
}

const DAY_MS = 86_400_000;

/** The temporary sources of all tenants, folded from the log into memory. */
export class ResearchCache {
  private readonly sources = new Map<string, TemporarySource>();
  /** Temporary sources of each open job. */
  private readonly byJob = new Map<string, Set<string>>();

  *save(): Generator<TemporarySource> {
    yield* this.sources.values();
  }

  load(source: TemporarySource): void {
    this.sources.set(source.sourceId, source);
    for (const job of source.jobs) this.sourcesOf(job).add(source.sourceId);
  }

  clear(): void {
    this.sources.clear();
    this.byJob.clear();
  }

  apply(event: RecordedDomainEvent): void {
    const at = Date.parse(event.metadata.occurred_at);
    switch (event.type) {
      case 'SourceRegistered': {
        const { source_id: sourceId, audience } = event.data;
        if (audience?.kind !== 'research') return;
        const { tenant_id: tenantId } = event.metadata;
        this.sources.set(sourceId, {
          sourceId,
          tenantId,
          usedAt: at,
          chunks: 0,
          busy: false,
          jobs: [],
        });
        return;
      }
      case 'SourceRemoved':
        this.sources.delete(event.data.source_id);
        return;
      case 'SourceSyncRequested':
        return this.change(event.data.source_id, () => ({ busy: true }));
      case 'JobCompleted': {
        const { source_id, chunk_count: chunks } = event.data;
        return this.change(source_id, () => ({ busy: false, chunks, usedAt: at }));
      }
      case 'JobFailed':
      case 'JobCancelled':
        return this.change(event.data.source_id, () => ({ busy: false }));
      case 'RoverRepositoryAttached': {
        const { source_id, rover_job_id } = event.data;
        if (!this.sources.has(source_id)) return;
        this.sourcesOf(rover_job_id).add(source_id);
        return this.change(source_id, ({ jobs }) => ({
          usedAt: at,
          jobs: [...new Set([...jobs, rover_job_id])],
        }));
      }
      case 'RoverJobCompleted':
      case 'RoverJobFailed':
      case 'RoverJobCancelled':
        return this.released(event.data.rover_job_id);
      default:
        return;
    }
  }

  /**
   * Returns the sources to remove at a time, the least recently used first. Sources of open jobs
   * and those with running syncs are excluded.
   */
  due(now: number, { chunks: most, days }: ResearchBounds): TemporarySource[] {
    const all = [...this.sources.values()].sort((a, b) => a.usedAt - b.usedAt);
    let total = all.reduce((sum, { chunks }) => sum + chunks, 0);
    return all.filter(({ busy, jobs, usedAt, chunks }) => {
      if (busy || jobs.length > 0) return false;
      const isUnused = usedAt + days * DAY_MS <= now;
      if (!isUnused && total <= most) return false;
      total -= chunks;
      return true;
    });
  }

  private released(job: string): void {
    for (const sourceId of this.byJob.get(job) ?? [])
      this.change(sourceId, ({ jobs }) => ({ jobs: jobs.filter((each) => each !== job) }));
    this.byJob.delete(job);
  }

  private change(
    sourceId: string,
    changes: (source: TemporarySource) => Partial<TemporarySource>,
  ): void {
    const source = this.sources.get(sourceId);
    if (source) this.sources.set(sourceId, { ...source, ...changes(source) });
  }

  private sourcesOf(job: string): Set<string> {
    const known = this.byJob.get(job) ?? new Set<string>();
    this.byJob.set(job, known);
    return known;
  }
}
