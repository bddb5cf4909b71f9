import type { DomainEvent, Position } from '#contracts';
import type { Destroyed } from '#domain';
import { type EventStore, type RecordedDomainEvent, upcast } from '#event-store';

import { INDEXED_TYPES } from '../log/indexed-types.js';

/** Everything that the log says a tenant has or had outside of the log. */
export interface TenantContent {
  readonly sourceIds: ReadonlySet<string>;
  readonly manifests: ReadonlySet<string>;
  /** Listings that stages left. */
  readonly artifacts: ReadonlySet<string>;
  readonly uploads: ReadonlySet<string>;
  /** Position of the newest event that the search index takes in. */
  readonly lastIndexed: Position | null;
  /** Time when the erasure was requested, milliseconds since the epoch. */
  readonly requestedAt: number;
  /**
   * Start times of the attempts whose worker never recorded their end, milliseconds since the
   * epoch.
   */
  readonly unendedAttempts: readonly number[];
  /** Counts of destroyed content since the erasure was requested. */
  readonly since: Pick<Destroyed, 'sources' | 'jobs' | 'people' | 'generations'>;
}

const TYPES = [
  'TenantErasureRequested',
  'SourceRegistered',
  'SourceUpdated',
  'SourceRemoved',
  'JobRequested',
  'JobStageStarted',
  'JobStageAdvanced',
  'JobStageFailed',
  'JobStageLost',
  'JobStaged',
  'JobCompleted',
  'JobCancelled',
  'GenerationDropped',
  'UserClosed',
] as const satisfies readonly DomainEvent['type'][];

/**
 * Reads the log once, up to its present end. The same log gives the same answer, whatever was
 * destroyed since.
 */
export async function contentOf(
  store: EventStore,
  tenantId: string,
  signal: AbortSignal,
): Promise<TenantContent> {
  const found = new Found();
  const ended = new AbortController();
  try {
    const options = { after: 'start', filter: { types: TYPES } } as const;
    for await (const delivery of store.subscribe({
      ...options,
      signal: AbortSignal.any([signal, ended.signal]),
    })) {
      if (delivery.kind === 'caught-up') return found;
      if (delivery.kind !== 'event' || delivery.event.metadata.tenant_id !== tenantId) continue;
      const read = upcast(delivery.event);
      if (read.kind === 'known') found.take(read.event);
    }
  } finally {
    ended.abort();
  }
  throw new Error('The log was not read to its end');
}

class Found implements TenantContent {
  readonly sourceIds = new Set<string>();
  readonly manifests = new Set<string>();
  readonly artifacts = new Set<string>();
  readonly uploads = new Set<string>();
  readonly since = { sources: 0, jobs: 0, people: 0, generations: 0 };
  lastIndexed: Position | null = null;
  requestedAt = Infinity;
  private readonly lost: number[] = [];
  /** Start of the attempt under way, by job. */
  private readonly started = new Map<string, number>();
  private requested = false;

  get unendedAttempts(): readonly number[] {
    return [...this.lost, ...this.started.values()];
  }

  take(event: RecordedDomainEvent): void {
    switch (event.type) {
      case 'TenantErasureRequested':
        this.requested = true;
        this.requestedAt = timeOf(event);
        break;
      case 'SourceRegistered':
      case 'SourceUpdated': {
        const upload = event.data.definition?.upload;
        if (upload) this.uploads.add(upload.blob);
        break;
      }
      case 'JobRequested':
        if (event.data.base) this.manifests.add(event.data.base.manifest);
        break;
      case 'JobStageStarted':
        this.started.set(event.stream, timeOf(event));
        break;
      case 'JobStageAdvanced':
        this.started.delete(event.stream);
        this.artifacts.add(event.data.artifact);
        break;
      case 'JobStageFailed':
        this.started.delete(event.stream);
        break;
      case 'JobStageLost': {
        const startedAt = this.started.get(event.stream);
        if (startedAt !== undefined) this.lost.push(startedAt);
        this.started.delete(event.stream);
        break;
      }
      case 'JobStaged':
      case 'JobCompleted':
        this.started.delete(event.stream);
        this.manifests.add(event.data.manifest);
        break;
      default:
        break;
    }
    const { source_id } = event.data as { readonly source_id?: string };
    if (source_id !== undefined) this.sourceIds.add(source_id);
    if (this.requested) this.count(event);
    if (INDEXED_TYPES.has(event.type)) this.lastIndexed = event.position;
  }

  private count({ type }: RecordedDomainEvent): void {
    if (type === 'SourceRemoved') this.since.sources += 1;
    if (type === 'JobCancelled') this.since.jobs += 1;
    if (type === 'UserClosed') this.since.people += 1;
    if (type === 'GenerationDropped') this.since.generations += 1;
  }
}

function timeOf({ metadata }: RecordedDomainEvent): number {
  return new Date(metadata.occurred_at).getTime();
}
