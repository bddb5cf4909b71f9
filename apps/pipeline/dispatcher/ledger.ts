import type { DomainEvent, Position } from '#contracts';
import { isOpen, isTerminal, jobDecider, type JobState, type OpenJob } from '#domain';
import type { RecordedDomainEvent } from '#event-store';
import type { Clock } from '#platform';

import type { Cause } from '../log/commands.js';
import { INDEXED_TYPES } from '../log/indexed-types.js';

/** The event types that the ledger folds. JobProgressed renews leases and is followed apart. */
export const LEDGER_TYPES = [
  'SourceRegistered',
  'SourceSyncRequested',
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

/** An open job as the log shows it. */
export interface JobEntry {
  readonly job: OpenJob;
  readonly cause: Cause;
  /** Of its newest event, renewals included. */
  readonly revision: bigint;
  /** Of the newest event that is folded into `job`. */
  readonly folded: bigint;
  readonly position: string;
  /** When the newest event was seen, by the monotonic clock of this process. */
  readonly seenAt: number;
  /** From when work that nobody has started is due, by the same clock. */
  readonly dueAt: number;
  /**
   * When this process last sent a message for that work once more, by the same clock; -Infinity:
   * not yet.
   */
  readonly resentAt: number;
  /** How often it has done so. */
  readonly resends: number;
}

/** A generation that was staged and not dropped. */
export interface GenerationEntry {
  readonly generation: number;
  readonly jobId: string;
  readonly manifest: string;
  readonly state: 'staged' | 'published' | 'cancelled' | 'failed';
}

export interface SourceEntry {
  readonly sourceId: string;
  /** Of the event that named the last job, or registered or removed the source. */
  readonly cause: Cause;
  readonly removed: boolean;
  readonly lastJobId: string | null;
  /** False while the source names a job whose own stream is still empty. */
  readonly lastJobSeen: boolean;
  /** The blob that it was made of, for an uploaded file. */
  readonly upload: string | null;
  /**
   * In the order in which they were staged; a published one moves to the end when it is published.
   */
  readonly generations: readonly GenerationEntry[];
}

/**
 * What is open, folded from the log into memory: jobs that have not ended, and of each source its
 * last job and the generations that still exist. Derived from the start of the log at every start;
 * it has no checkpoint to lose.
 */
export class Ledger {
  readonly jobs = new Map<string, JobEntry>();
  readonly sources = new Map<string, SourceEntry>();
  /**
   * Uploaded files of sources that were removed: each may be collected unless another source is
   * made of it.
   */
  readonly releasedUploads = new Set<string>();
  /** Position of the newest event that the search index takes in. */
  lastIndexed: Position | null = null;

  /** True until history is folded: what is applied meanwhile was appended an unknown time ago. */
  private replaying = true;

  constructor(private readonly clock: Clock) {}

  /** History is folded; what comes from now on has just been appended. */
  caughtUp(): void {
    this.replaying = false;
  }

  /**
   * Applying the newest event again changes nothing: the dispatcher repeats one whose work failed.
   */
  apply(event: RecordedDomainEvent): void {
    const jobId = jobOf(event);
    if (jobId !== null) this.applyToJob(event, jobId);
    this.applyToSource(event);
    if (INDEXED_TYPES.has(event.type)) this.lastIndexed = event.position;
  }

  /**
   * Reports whether a source has a job that has not ended, or one that is about to be in the log.
   */
  hasJobOf(sourceId: string): boolean {
    const source = this.sources.get(sourceId);
    return source !== undefined && (!source.lastJobSeen || this.jobs.has(source.lastJobId ?? ''));
  }

  /** A job's stream has grown by an event that the ledger does not fold. */
  renewed(jobId: string, revision: bigint): void {
    const entry = this.jobs.get(jobId);
    if (!entry || revision <= entry.revision) return;
    this.jobs.set(jobId, { ...entry, revision, seenAt: this.clock.monotonic() });
  }

  /**
   * The due work of the entry was sent once more. An entry that has changed since is left as it is.
   */
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

  private applyToJob(event: RecordedDomainEvent, jobId: string): void {
    const entry = this.jobs.get(jobId);
    if (entry && event.revision <= entry.folded) return;
    const before: JobState = entry?.job ?? jobDecider.initial;
    const job = jobDecider.evolve(before, event as Parameters<typeof jobDecider.evolve>[1]);
    if (isTerminal(job)) this.jobs.delete(jobId);
    if (!isOpen(job)) return;
    const seenAt = this.clock.monotonic();
    this.jobs.set(jobId, {
      job,
      cause: causeOf(event),
      revision: entry && entry.revision > event.revision ? entry.revision : event.revision,
      folded: event.revision,
      position: event.position,
      seenAt,
      dueAt: seenAt + this.retryWaitMs(event),
      resentAt: -Infinity,
      resends: 0,
    });
  }

  /**
   * How long the work that follows from an event has to wait, milliseconds. A retry waits for as
   * long as its worker said: `retry_at` less the time of its event, both from that worker's clock,
   * counted from now by the clock of this process. So no machine's clock is held against another's,
   * and a retry is never later than its delay. Only in history, whose age no monotonic clock knows,
   * the wall clock of this process may shorten the wait, by what has passed of it.
   */
  private retryWaitMs(event: RecordedDomainEvent): number {
    if (event.type !== 'JobStageFailed' || event.data.retry_at === null) return 0;
    const retryAt = new Date(event.data.retry_at).getTime();
    const delay = retryAt - new Date(event.metadata.occurred_at).getTime();
    return Math.max(
      0,
      this.replaying ? Math.min(delay, retryAt - this.clock.now().getTime()) : delay,
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

/** The job whose stream the event stands in, or null. */
export function jobOf({ stream }: RecordedDomainEvent): string | null {
  return stream.startsWith('job-') ? stream.slice('job-'.length) : null;
}

/** The source that the event names, or null: not every event of a job does. */
export function sourceOf({ data }: RecordedDomainEvent): string | null {
  const sourceId = (data as { readonly source_id?: unknown }).source_id;
  return typeof sourceId === 'string' ? sourceId : null;
}

function causeOf({ id, metadata }: RecordedDomainEvent): Cause {
  return { tenantId: metadata.tenant_id, correlationId: metadata.correlation_id, causationId: id };
}

function unknownSource(sourceId: string, event: RecordedDomainEvent): SourceEntry {
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

function evolveSource(source: SourceEntry, event: RecordedDomainEvent): SourceEntry {
  switch (event.type) {
    case 'SourceRegistered':
      return { ...source, upload: event.data.definition.upload?.blob ?? null };
    case 'SourceSyncRequested':
      return { ...source, cause: causeOf(event), lastJobId: event.data.job_id, lastJobSeen: false };
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

/** Apart from an open job, nothing is left to do for it, ever. */
function isSettled({ removed, lastJobSeen, generations }: SourceEntry): boolean {
  return removed && lastJobSeen && generations.length === 0;
}
