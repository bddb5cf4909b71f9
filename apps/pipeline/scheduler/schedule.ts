import type { DomainEvent } from '#contracts';
import { nextSyncAt } from '#domain';
import type { RecordedDomainEvent } from '#event-store';

/** Event types that the schedule folds. */
export const SCHEDULE_TYPES = [
  'SourceRegistered',
  'SourceUpdated',
  'SourceSyncRequested',
  'SourceSyncQueued',
  'SourceRemoved',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
] as const satisfies readonly DomainEvent['type'][];

/** Sync that starts without a request. */
export interface DueSync {
  readonly sourceId: string;
  readonly tenantId: string;
  /** Last job of the source, which has ended; null before its first. */
  readonly afterJobId: string | null;
  /** Time from which it is due, milliseconds since the epoch. */
  readonly dueAt: number;
  /** Push that queued it; null if its interval is over. */
  readonly queuedBy: { readonly correlationId: string; readonly eventId: string } | null;
}

/** Line of a snapshot. */
type ScheduleLine = readonly [sourceId: string, entry: Entry];

interface Entry {
  readonly tenantId: string;
  readonly intervalSeconds: number;
  readonly lastJobId: string | null;
  readonly open: boolean;
  /** End of the last job or setting of the interval, whichever is later: ms since the epoch. */
  readonly since: number;
  readonly queuedBy: DueSync['queuedBy'];
}

/**
 * Times at which sources sync, folded from the log into memory. A sync that was missed while no
 * process ran is due once, however many intervals have passed.
 */
export class Schedule {
  private readonly sources = new Map<string, Entry>();

  /** Returns the entries as lines of a snapshot. */
  save(): Iterable<ScheduleLine> {
    return this.sources.entries();
  }

  /** Adds a line that {@link save} returned. */
  load([sourceId, entry]: ScheduleLine): void {
    this.put(sourceId, entry);
  }

  clear(): void {
    this.sources.clear();
  }

  apply(event: RecordedDomainEvent): void {
    switch (event.type) {
      case 'SourceRegistered': {
        if (this.sources.has(event.data.source_id)) return;
        return this.put(event.data.source_id, {
          tenantId: event.metadata.tenant_id,
          intervalSeconds: event.data.sync_interval_seconds ?? 0,
          lastJobId: null,
          open: false,
          since: Date.parse(event.metadata.occurred_at),
          queuedBy: null,
        });
      }
      case 'SourceUpdated': {
        const { source_id, sync_interval_seconds: intervalSeconds } = event.data;
        if (intervalSeconds === undefined) return;
        return this.change(source_id, () => ({
          intervalSeconds,
          since: Date.parse(event.metadata.occurred_at),
        }));
      }
      case 'SourceSyncRequested': {
        const { source_id, job_id } = event.data;
        return this.change(source_id, () => ({ lastJobId: job_id, open: true, queuedBy: null }));
      }
      case 'SourceSyncQueued': {
        const queuedBy = { correlationId: event.metadata.correlation_id, eventId: event.id };
        return this.change(event.data.source_id, () => ({ queuedBy }));
      }
      case 'JobCompleted':
      case 'JobFailed':
      case 'JobCancelled': {
        const { source_id, job_id } = event.data;
        return this.change(source_id, ({ lastJobId }) =>
          lastJobId === job_id
            ? { open: false, since: Date.parse(event.metadata.occurred_at) }
            : {},
        );
      }
      case 'SourceRemoved':
        this.sources.delete(event.data.source_id);
        return;
      default:
        return;
    }
  }

  /**
   * Returns the syncs due at a time, the longest overdue first. An interval that began in the
   * future was stored by a clock that was ahead: it begins now instead. So the source waits one
   * interval at most after the clock was corrected.
   */
  dueAt(now: number): DueSync[] {
    const due: DueSync[] = [];
    for (const [sourceId, entry] of this.sources) {
      const since = Math.min(entry.since, now);
      if (since < entry.since) this.put(sourceId, { ...entry, since });
      const { tenantId, lastJobId: afterJobId, queuedBy, intervalSeconds } = entry;
      if (entry.open) continue;
      const dueAt = queuedBy ? since : nextSyncAt({ sourceId, intervalSeconds, since });
      if (dueAt !== null && (queuedBy || dueAt <= now))
        due.push({ sourceId, tenantId, afterJobId, dueAt, queuedBy });
    }
    return due.sort((a, b) => a.dueAt - b.dueAt);
  }

  private change(sourceId: string, changes: (entry: Entry) => Partial<Entry>): void {
    const entry = this.sources.get(sourceId);
    if (entry) this.put(sourceId, { ...entry, ...changes(entry) });
  }

  private put(sourceId: string, entry: Entry): void {
    this.sources.set(sourceId, entry);
  }
}
