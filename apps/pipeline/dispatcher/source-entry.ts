import { keepScipUploads, type ScipUpload, withoutScipNames } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';

import type { Cause } from '../log/commands.js';

/** A generation that was staged and not dropped. */
export interface GenerationEntry {
  readonly generation: number;
  readonly jobId: string;
  readonly manifest: string;
  readonly state: 'staged' | 'published' | 'cancelled' | 'failed';
}

export interface SourceEntry {
  readonly sourceId: string;
  /** Event that named the last job, or registered or removed the source. */
  readonly cause: Cause;
  readonly removed: boolean;
  readonly lastJobId: string | null;
  /** False while the source names a job whose own stream is still empty. */
  readonly lastJobSeen: boolean;
  /** Blob of the uploaded file; null for sources of other types. */
  readonly upload: string | null;
  /** Kept uploads of SCIP indexes; absent before the first. */
  readonly scip?: readonly ScipUpload[];
  /** Order in which they were staged; a published generation moves to the end. */
  readonly generations: readonly GenerationEntry[];
}

/** Returns the source that the event names, or null: not every event of a job names one. */
export function sourceOf({ data }: RecordedDomainEvent): string | null {
  const sourceId = (data as { readonly source_id?: unknown }).source_id;
  return typeof sourceId === 'string' ? sourceId : null;
}

/** Returns the cause of what follows from an event. */
export function causeOf({ id, metadata }: RecordedDomainEvent): Cause {
  return { tenantId: metadata.tenant_id, correlationId: metadata.correlation_id, causationId: id };
}

/** Returns the entry of a source before its first event. */
export function unknownSource(sourceId: string, event: RecordedDomainEvent): SourceEntry {
  return {
    sourceId,
    cause: causeOf(event),
    removed: false,
    lastJobId: null,
    lastJobSeen: true,
    upload: null,
    generations: [],
  };
}

/** Returns the entry after an event. */
export function evolveSource(source: SourceEntry, event: RecordedDomainEvent): SourceEntry {
  switch (event.type) {
    case 'SourceRegistered':
      return { ...source, upload: event.data.definition.upload?.blob ?? null };
    case 'SourceSyncRequested':
      return { ...source, cause: causeOf(event), lastJobId: event.data.job_id, lastJobSeen: false };
    case 'SourceScipUploaded':
      return { ...source, scip: keepScipUploads(source.scip ?? [], event.data.scip) };
    case 'SourceScipRemoved':
      return { ...source, scip: withoutScipNames(source.scip ?? [], event.data.names) };
    case 'SourceRemoved':
      return { ...source, cause: causeOf(event), removed: true };
    case 'JobRequested':
      return event.data.job_id === source.lastJobId ? { ...source, lastJobSeen: true } : source;
    case 'JobStaged': {
      const { generation, job_id, manifest } = event.data;
      const staged: GenerationEntry = { generation, jobId: job_id, manifest, state: 'staged' };
      return { ...source, generations: [...without(source, generation), staged] };
    }
    case 'JobCompleted': {
      const { generation, job_id, manifest } = event.data;
      const published: GenerationEntry = {
        generation,
        jobId: job_id,
        manifest,
        state: 'published',
      };
      return { ...source, generations: [...without(source, generation), published] };
    }
    case 'JobFailed':
    case 'JobCancelled': {
      const state = event.type === 'JobFailed' ? 'failed' : 'cancelled';
      const generations = source.generations.map((entry) =>
        entry.jobId === event.data.job_id && entry.state === 'staged'
          ? ({ ...entry, state } as const)
          : entry,
      );
      return { ...source, generations };
    }
    case 'GenerationDropped':
      return { ...source, generations: without(source, event.data.generation) };
    default:
      return source;
  }
}

function without(source: SourceEntry, generation: number): readonly GenerationEntry[] {
  return source.generations.filter((entry) => entry.generation !== generation);
}

/** Reports whether no work is left for the source, apart from an open job. */
export function isSettled({ removed, lastJobSeen, generations }: SourceEntry): boolean {
  return removed && lastJobSeen && generations.length === 0;
}
