import type { DomainEvent, Position } from '#contracts';
import { isOpen, isTerminal, jobDecider, type JobState, type OpenJob } from '#domain';
import type { RecordedDomainEvent } from '#event-store';
import type { Clock } from '#platform';

import type { Cause } from '../log/commands.js';
import { INDEXED_TYPES } from '../log/indexed-types.js';
import {
  causeOf,
  evolveSource,
  isSettled,
  type SourceEntry,
  sourceOf,
  unknownSource,
} from './source-entry.js';

/** Event types that the ledger folds. JobProgressed only renews leases and is not among them. */
export const LEDGER_TYPES = [
  'SourceRegistered',
  'SourceSyncRequested',
  'SourceScipUploaded',
  'SourceScipRemoved',
  'SourceRemoved',
  'JobRequested',
  'JobStageStarted',
  'JobStageAdvanced',
  'JobStageFailed',
  'JobStageLost',
  'JobStaged',
  'JobCompleted',
  'JobFailed',
  'JobCancelled',
  'GenerationDropped',
] as const satisfies readonly DomainEvent['type'][];

/** Open job as the log shows it. */
export interface JobEntry {
  readonly job: OpenJob;
  readonly cause: Cause;
  /** Revision of its newest event, renewals included. */
  readonly revision: bigint;
  /** Revision of the newest event that is folded into `job`. */
  readonly folded: bigint;
  readonly position: string;
  /** Wait before the due work; null if it need not wait. */
  readonly retry: RetryWait | null;
  /** Time at which the newest event was seen, by the monotonic clock of this process. */
  readonly seenAt: number;
  /** Time from which due work may start, by the same clock. */
  readonly dueAt: number;
  /** Last repetition of the message for the due work, by the same clock; -Infinity: none. */
  readonly resentAt: number;
  /** Number of these repetitions. */
  readonly resends: number;
}

/** Wait of a retry, by the clock of the worker that failed. */
interface RetryWait {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly delayMs: number;
}

/** Line of a snapshot. */
type LedgerLine =
  | readonly ['job', SavedJob]
  | readonly ['source', SourceEntry]
  | readonly ['released', string]
  | readonly ['indexed', Position | null];

type SavedJob = Pick<JobEntry, 'job' | 'cause' | 'position' | 'retry'> & {
  readonly folded: string;
};

/**
 * Open work, folded from the log into memory: jobs that have not ended and, per source, its last
 * job and the generations that still exist.
 */
export class Ledger {
  readonly jobs = new Map<string, JobEntry>();
  readonly sources = new Map<string, SourceEntry>();
  /** Uploaded files of removed sources; collected unless another source uses the same file. */
  readonly releasedUploads = new Set<string>();
  /** Position of the newest event that changes the search index. */
  lastIndexed: Position | null = null;

  /** True until history is folded: until then, the age of events is unknown. */
  private replaying = true;

  constructor(private readonly clock: Clock) {}

  /** Called when history is folded: later events have just been appended. */
  caughtUp(): void {
    this.replaying = false;
  }

  /** Folds an event. Applying the newest event again changes nothing. */
  apply(event: RecordedDomainEvent): void {
    const jobId = jobOf(event);
    if (jobId !== null) this.applyToJob(event, jobId);
    this.applyToSource(event);
    if (INDEXED_TYPES.has(event.type)) this.lastIndexed = event.position;
  }

  /** Reports whether a source has an open job, or one whose stream is still empty. */
  hasJobOf(sourceId: string): boolean {
    const source = this.sources.get(sourceId);
    return source !== undefined && (!source.lastJobSeen || this.jobs.has(source.lastJobId ?? ''));
  }

  /** Returns the released uploads, except those of sources whose generations still exist. */
  collectableUploads(): Set<string> {
    const uploads = new Set(this.releasedUploads);
    for (const { upload, generations } of this.sources.values())
      if (upload !== null && generations.length > 0) uploads.delete(upload);
    return uploads;
  }

  /** Notes an event of a job that the ledger does not fold. */
  renewed(jobId: string, revision: bigint): void {
    const entry = this.jobs.get(jobId);
    if (!entry || revision <= entry.revision) return;
    this.jobs.set(jobId, { ...entry, revision, seenAt: this.clock.monotonic() });
  }

  /** Counts a repeated message for the due work, unless the job has changed since. */
  resent({ job, folded }: JobEntry): void {
    const entry = this.jobs.get(job.job_id);
    if (entry?.folded === folded) {
      this.jobs.set(job.job_id, {
        ...entry,
        resentAt: this.clock.monotonic(),
        resends: entry.resends + 1,
      });
    }
  }

  /** Returns the folded state as lines. Renewals and repetitions belong to this process alone. */
  *save(): Generator<LedgerLine> {
    for (const { job, cause, position, retry, folded } of this.jobs.values())
      yield ['job', { job, cause, position, retry, folded: String(folded) }];
    for (const source of this.sources.values()) yield ['source', source];
    for (const hash of this.releasedUploads) yield ['released', hash];
    yield ['indexed', this.lastIndexed];
  }

  /** Adds a line that {@link save} returned. */
  load([kind, value]: LedgerLine): void {
    if (kind === 'source') this.sources.set(value.sourceId, value);
    else if (kind === 'released') this.releasedUploads.add(value);
    else if (kind === 'indexed') this.lastIndexed = value;
    else this.put({ ...value, folded: BigInt(value.folded), revision: BigInt(value.folded) });
  }

  clear(): void {
    this.jobs.clear();
    this.sources.clear();
    this.releasedUploads.clear();
    this.lastIndexed = null;
  }

  private applyToJob(event: RecordedDomainEvent, jobId: string): void {
    const entry = this.jobs.get(jobId);
    if (entry && event.revision <= entry.folded) return;
    const before: JobState = entry?.job ?? jobDecider.initial;
    const job = jobDecider.evolve(before, event as Parameters<typeof jobDecider.evolve>[1]);
    if (isTerminal(job)) this.jobs.delete(jobId);
    if (!isOpen(job)) return;
    this.put({
      job,
      cause: causeOf(event),
      revision: entry && entry.revision > event.revision ? entry.revision : event.revision,
      folded: event.revision,
      position: event.position,
      retry: retryOf(event),
    });
  }

  private put(entry: Omit<JobEntry, 'seenAt' | 'dueAt' | 'resentAt' | 'resends'>): void {
    const seenAt = this.clock.monotonic();
    const dueAt = seenAt + this.waitMs(entry.retry);
    this.jobs.set(entry.job.job_id, { ...entry, seenAt, dueAt, resentAt: -Infinity, resends: 0 });
  }

  /**
   * Returns the wait before due work, milliseconds. A retry waits for `retry_at` minus the time of
   * its event, both from the clock of its worker. The wait counts from now by the clock of this
   * process. So clocks of two machines are never compared, and a retry is never later than its
   * delay. The age of history is unknown to a monotonic clock: there, the wall clock may shorten
   * the wait.
   */
  private waitMs(retry: RetryWait | null): number {
    if (retry === null) return 0;
    const { at, delayMs } = retry;
    return Math.max(
      0,
      this.replaying ? Math.min(delayMs, at - this.clock.now().getTime()) : delayMs,
    );
  }

  private applyToSource(event: RecordedDomainEvent): void {
    const sourceId = sourceOf(event);
    if (sourceId === null) return;
    const before = this.sources.get(sourceId) ?? unknownSource(sourceId, event);
    const after = evolveSource(before, event);
    if (event.type === 'SourceRemoved' && before.upload !== null)
      this.releasedUploads.add(before.upload);
    if (isSettled(after) && !this.jobs.has(after.lastJobId ?? '')) this.sources.delete(sourceId);
    else this.sources.set(sourceId, after);
  }
}

/** Returns the job to whose stream the event belongs, or null. */
export function jobOf({ stream }: RecordedDomainEvent): string | null {
  return stream.startsWith('job-') ? stream.slice('job-'.length) : null;
}

function retryOf(event: RecordedDomainEvent): RetryWait | null {
  if (event.type !== 'JobStageFailed' || event.data.retry_at === null) return null;
  const at = new Date(event.data.retry_at).getTime();
  return { at, delayMs: at - new Date(event.metadata.occurred_at).getTime() };
}
