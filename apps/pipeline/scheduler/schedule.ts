import type { DomainEvent } from '#contracts';
import { nextSyncAt } from '#domain';
import type { RecordedDomainEvent } from '#event-store';

/** The event types that the schedule folds. */
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

/** A sync that nobody has to ask for any more. */
export interface DueSync {
  readonly sourceId: string;
  readonly tenantId: string;
  /** The source's last job, which has ended; null before its first. */
  readonly afterJobId: string | null;
  /** Since when it is due, milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of the push that queued it; null where its time has come. */
  readonly queuedBy: { readonly correlationId: string; readonly eventId: string } | null;
}

interface Entry {
  readonly tenantId: string;
  readonly intervalSeconds: number;
  readonly lastJobId: string | null;
  readonly open: boolean;
  /**
   * When the last job ended, or the interval was set where that is later: milliseconds since the
   * epoch.
   */
  readonly since: number;
  readonly queuedBy: DueSync['queuedBy'];
}

/**
 * Which sources are to be synced when, folded from the log into memory. Like the ledger it is
 * derived from the start of the log at every start: a sync that was missed meanwhile is due once,
 * whatever number of intervals has passed.
 */
export class Schedule {
  private readonly sources = new Map<string, Entry>();

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
   * future was stored by a clock that was ahead: it begins now instead, so that the source waits
   * one interval at most after the clock was corrected.
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
