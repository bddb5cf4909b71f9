import type { Position, StageMessage } from '#contracts';
import { dueWork } from '#domain';
import type { EventStore, RecordedDomainEvent } from '#event-store';
import { type Clock, type Config, type Logger, uuidv7 } from '#platform';
import type { PublishOptions, WorkQueue } from '#queue';

import type { IndexedGenerations } from '../indexed-generations.js';
import { HeldTenants, HOLD_TYPES } from '../log/held-tenants.js';
import type { Reactor, ReactorRun, ReactorState } from '../reactor/reactor.types.js';
import { topicOf } from '../worker/stage-message.js';
import { CheckpointSaver } from './checkpoint-saver.js';
import { finalize } from './finalizer.js';
import { type JobEntry, jobOf, type Ledger, LEDGER_TYPES } from './ledger.js';
import { repairAppends } from './repair-appends.js';
import { dropGenerations } from './retention.js';
import { type SourceEntry, sourceOf } from './source-entry.js';
import type { Tasks } from './tasks.js';
import { TenantChunks } from './tenant-chunks.js';

export interface DispatcherDependencies {
  readonly store: EventStore;
  readonly queue: WorkQueue;
  readonly indexed: IndexedGenerations;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'jobs' | 'limits' | 'quota'>;
  readonly ledger: Ledger;
  readonly tasks: Tasks;
  /** Time that the writer of a first append has for its second, milliseconds. */
  readonly graceMs: number;
}

/** Name of the checkpoint in the queue. */
export const DISPATCHER_CHECKPOINT = 'dispatcher';
/**
 * Pause between two checkpoints while only events without work come, milliseconds. Each search
 * writes one: a checkpoint per event would cost a write to the queue per search.
 */
const IDLE_CHECKPOINT_MS = 1_000;
/**
 * Pause between two checkpoints while work comes, milliseconds. Each is a write to the queue; one
 * that lags only costs repeated messages.
 */
const CHECKPOINT_PAUSE_MS = 100;

/** Snapshot lines of the folds, distinguished by their first item. */
type DispatcherLine =
  | readonly ['ledger', Parameters<Ledger['load']>[0]]
  | readonly ['chunks', Parameters<TenantChunks['load']>[0]]
  | readonly ['held', string];

/**
 * Turns events into work: stage messages, retries at their time, and publication of generations
 * that the index has loaded. Also adds missing second appends and drops generations.
 *
 * `apply` marks jobs and sources with new events; `run` acts on their present state. Every action
 * is safe to repeat. The checkpoint follows the publishing and is stored with the queue, so that
 * both are lost together. The due work is then derived from the log.
 */
export class Dispatcher implements Reactor {
  readonly name = 'dispatcher';
  readonly eventTypes = [...LEDGER_TYPES, ...HOLD_TYPES];
  readonly intervalMs = IDLE_CHECKPOINT_MS;
  readonly state: ReactorState;
  private readonly chunks: TenantChunks;
  private readonly held = new HeldTenants();
  private readonly checkpoint: CheckpointSaver;
  /** True from the take-over to the release: only then are marks recorded. */
  private leads = false;
  private readonly markedJobs = new Set<string>();
  private readonly markedSources = new Set<string>();
  private stored: Position | null = null;

  constructor(private readonly dependencies: DispatcherDependencies) {
    const { ledger, queue } = dependencies;
    this.chunks = new TenantChunks(dependencies);
    this.state = stateOf(ledger, this.chunks, this.held);
    this.checkpoint = new CheckpointSaver(
      (position) => queue.saveCheckpoint(DISPATCHER_CHECKPOINT, position),
      CHECKPOINT_PAUSE_MS,
    );
  }

  apply(event: RecordedDomainEvent): boolean {
    this.dependencies.ledger.apply(event);
    this.chunks.apply(event);
    const released = this.held.apply(event);
    if (!this.leads) return false;
    if (released !== null) this.markSourcesOf(released);
    const [jobId, sourceId] = [jobOf(event), sourceOf(event)];
    if (jobId !== null) this.markedJobs.add(jobId);
    if (sourceId !== null) this.markedSources.add(sourceId);
    return true;
  }

  caughtUp(): void {
    this.dependencies.ledger.caughtUp();
  }

  /** Marks all open work whose message may not be in the queue. */
  async takeOver({ position: folded }: ReactorRun): Promise<void> {
    const { ledger, queue } = this.dependencies;
    this.leads = true;
    const published = await queue.loadCheckpoint(DISPATCHER_CHECKPOINT);
    const isOfThisLog = published !== null && folded !== null && published <= folded;
    for (const [jobId, { job, position }] of ledger.jobs) {
      const due = dueWork(job);
      const isTimed = due?.at !== undefined || due?.stage === 'finalize';
      if (isTimed || !isOfThisLog || position > published) this.markedJobs.add(jobId);
    }
    for (const sourceId of ledger.sources.keys()) this.markedSources.add(sourceId);
  }

  /** Acts on everything that is marked, then stores the checkpoint. */
  async run({ signal, position }: ReactorRun): Promise<void> {
    for (const jobId of [...this.markedJobs]) {
      if (signal.aborted) return;
      this.markedJobs.delete(jobId);
      try {
        await this.reactToJob(jobId);
      } catch (error) {
        this.markedJobs.add(jobId);
        throw error;
      }
    }
    for (const sourceId of [...this.markedSources]) {
      this.markedSources.delete(sourceId);
      const source = this.dependencies.ledger.sources.get(sourceId);
      if (source) this.reactToSource(source);
    }
    if (position === null || position === this.stored) return;
    this.checkpoint.save(position);
    this.stored = position;
  }

  async release(): Promise<void> {
    this.leads = false;
    this.stored = null;
    this.markedJobs.clear();
    this.markedSources.clear();
    await Promise.all([this.dependencies.tasks.cancelAll(), this.checkpoint.settled()]);
  }

  /**
   * Sends the message for the due work of a job again, in a task, unless the queue reports that the
   * first one still waits. The message has an id of its own, since the queue may remember the first
   * one's. If both arrive, the later one finds that its attempt is not due.
   */
  redispatch(entry: JobEntry): void {
    const { tasks, ledger } = this.dependencies;
    const publish = this.publication(entry, uuidv7(), { unlessWaiting: true });
    if (!publish) return;
    ledger.resent(entry);
    const name = `retry:${entry.job.job_id}`;
    tasks.cancel(name);
    tasks.run(name, publish);
  }

  /** Marks the sources of a tenant whose hold ended: their generations may be due to be dropped. */
  private markSourcesOf(tenantId: string): void {
    for (const { sourceId, cause } of this.dependencies.ledger.sources.values())
      if (cause.tenantId === tenantId) this.markedSources.add(sourceId);
  }

  private async reactToJob(jobId: string): Promise<void> {
    const { ledger, tasks } = this.dependencies;
    const entry = ledger.jobs.get(jobId);
    if (entry) return this.dispatch(entry);
    tasks.cancel(`retry:${jobId}`);
    tasks.cancel(`finalize:${jobId}`);
  }

  private reactToSource(source: SourceEntry): void {
    repairAppends(source, this.dependencies);
    if (this.held.has(source.cause.tenantId)) return;
    dropGenerations(source, this.dependencies);
  }

  /** Publishes due work, or plans it for its time. Started work needs nothing. */
  private async dispatch(entry: JobEntry): Promise<void> {
    const { clock, tasks, indexed, store, config } = this.dependencies;
    const { job, cause, dueAt } = entry;
    const due = dueWork(job);
    if (due?.stage === 'finalize') {
      const timeoutMs = config.jobs.stageTimeoutSeconds * 1_000;
      return tasks.run(`finalize:${job.job_id}`, (signal) =>
        finalize(entry, { store, clock, indexed, chunks: this.chunks, timeoutMs }, signal),
      );
    }
    const publish = this.publication(entry, cause.causationId);
    if (!publish) return;
    if (due?.at === undefined) return publish();
    tasks.cancel(`retry:${job.job_id}`);
    tasks.run(`retry:${job.job_id}`, publish, Math.max(0, dueAt - clock.monotonic()));
  }

  /** Returns the publication of the due work of a job; null if no worker has anything to do. */
  private publication(
    { job, cause }: JobEntry,
    messageId: string,
    options?: PublishOptions,
  ): (() => Promise<void>) | null {
    const due = dueWork(job);
    if (!due || due.stage === 'finalize') return null;
    const body: StageMessage = {
      tenant_id: cause.tenantId,
      source_id: job.source_id,
      job_id: job.job_id,
      stage: due.stage,
      attempt: due.attempt,
      correlation_id: cause.correlationId,
      causation_id: cause.causationId,
    };
    const topic = topicOf(due.stage);
    const messages = [{ id: messageId, key: job.source_id, body }];
    return () => this.dependencies.queue.publish(topic, messages, options);
  }
}

function stateOf(ledger: Ledger, chunks: TenantChunks, held: HeldTenants): ReactorState {
  return {
    version: 4,
    *save(): Generator<DispatcherLine> {
      for (const line of ledger.save()) yield ['ledger', line];
      for (const line of chunks.save()) yield ['chunks', line];
      for (const tenantId of held.save()) yield ['held', tenantId];
    },
    load(line) {
      const [fold, value] = line as DispatcherLine;
      if (fold === 'ledger') ledger.load(value);
      else if (fold === 'chunks') chunks.load(value);
      else held.load(value);
    },
    clear() {
      ledger.clear();
      chunks.clear();
      held.clear();
    },
  };
}
