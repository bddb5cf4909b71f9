import type { Position, StageMessage } from '#contracts';
import { dueWork } from '#domain';
import {
  type EventStore,
  followLog,
  type LookAhead,
  oneByOneAhead,
  type RecordedDomainEvent,
  type SubscriptionDelivery,
  upcast,
} from '#event-store';
import { aborted, type Clock, type Config, type Logger, sleep, uuidv7 } from '#platform';
import type { PublishOptions, WorkQueue } from '#queue';

import type { IndexedGenerations } from '../indexed-generations.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { topicOf } from '../worker/stage-message.js';
import { CheckpointSaver } from './checkpoint-saver.js';
import { finalize } from './finalizer.js';
import {
  type JobEntry,
  jobOf,
  type Ledger,
  LEDGER_TYPES,
  type SourceEntry,
  sourceOf,
} from './ledger.js';
import { dropGenerations } from './retention.js';
import { repeatSecondAppends } from './second-appends.js';
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
  readonly runs: ActiveRuns;
  /** How long the process that made a first append is given for its second, milliseconds. */
  readonly graceMs: number;
  /** Called when history is folded and before anything is published; again after it failed. */
  readonly onCaughtUp: () => Promise<void>;
  /**
   * Called when a source is removed with all its generations, or failed its first sync: nothing of
   * it is kept on disk.
   */
  readonly onSourceGone: (sourceId: string) => Promise<void>;
  /** Called when a job ended that may have left blobs which no event names. */
  readonly onLeftBlobs: () => void;
}

/** Name under which the queue keeps how far the log is dispatched. */
export const DISPATCHER_CHECKPOINT = 'dispatcher';
const RESTART_PAUSE_MS = 1_000;
/**
 * How long the stored checkpoint may stay behind while only events come that make no work. Each
 * search writes one: storing the place of each would cost a write to the queue a search.
 */
const IDLE_CHECKPOINT_MS = 1_000;
/**
 * Between two of them while work comes: each is a write to the queue, and one that lags costs
 * messages that are sent again.
 */
const CHECKPOINT_PAUSE_MS = 100;

/**
 * Every process folds the log, so that any of them can take over at once; the one that leads acts
 * on it.
 *
 * Turns events into work: stage messages, retries at their time, publication of what the index has
 * loaded, the second append of a step that was cut short, and the dropping of generations. Every
 * action is safe to repeat. The checkpoint follows the publishing and lies with the queue, so that
 * both are lost together; due work is then derived from the log.
 */
export class Dispatcher {
  /** Position of the newest event considered. */
  position: Position | null = null;
  /** Why the log cannot be followed at the moment. */
  error: Error | null = null;
  /** True while this process is the one that acts. */
  leads = false;
  private caughtUp = false;
  /** When the checkpoint was stored last. */
  private storedAt = -Infinity;
  /** Open jobs of which an attempt was lost, with what it wrote. */
  private readonly lostAttempts = new Set<string>();
  private readonly folded = Promise.withResolvers<void>();
  /** Deliveries and the take-over of the lead exclude each other. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly checkpoint: CheckpointSaver;
  private readonly chunks: TenantChunks;

  constructor(private readonly dependencies: DispatcherDependencies) {
    this.chunks = new TenantChunks(dependencies);
    this.checkpoint = new CheckpointSaver(
      (position) => dependencies.queue.saveCheckpoint(DISPATCHER_CHECKPOINT, position),
      CHECKPOINT_PAUSE_MS,
    );
  }

  /** Follows the log until the signal aborts; an engine that is away is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    await followLog({
      store: this.dependencies.store,
      filter: { types: LEDGER_TYPES },
      signal,
      from: (reached) => reached ?? 'start',
      take: oneByOneAhead((delivery, ahead) => {
        this.error = null;
        return this.inTurn(() => this.take(delivery, ahead));
      }),
      backOff: { firstMs: RESTART_PAUSE_MS, longestMs: RESTART_PAUSE_MS },
      onFailure: (error) => {
        this.error = error as Error;
        const after = this.position ?? 'start';
        this.dependencies.logger.error(
          { err: error, after },
          'The dispatcher lost the log and tries again',
        );
      },
    });
  }

  /**
   * Acts on what is open and on what comes, from when history is folded until the signal aborts.
   */
  async lead(signal: AbortSignal): Promise<void> {
    const ended = aborted(signal);
    await Promise.race([this.folded.promise, ended]);
    try {
      await this.untilTakenUp(signal);
      await ended;
    } finally {
      this.leads = false;
      await Promise.all([this.dependencies.tasks.cancelAll(), this.checkpoint.settled()]);
    }
  }

  /**
   * Sends the due work of a job once more, beside the caller and until the queue has taken it,
   * unless the queue can tell that its message still waits. Under an id of its own: the queue may
   * remember the first one's. Where the first one is not lost, the later of the two finds its
   * attempt not due.
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

  private async take(delivery: SubscriptionDelivery, ahead: LookAhead): Promise<void> {
    const { ledger, clock, onCaughtUp } = this.dependencies;
    if (delivery.kind === 'caught-up') {
      await onCaughtUp();
      this.caughtUp = true;
      ledger.caughtUp();
      return this.folded.resolve();
    }
    if (delivery.kind === 'event') {
      const read = upcast(delivery.event);
      if (read.kind === 'known') {
        ledger.apply(read.event);
        this.chunks.apply(read.event);
        if (this.caughtUp) await this.endRuns(read.event);
        if (this.leads && !(await goesOn(read.event, ahead))) await this.react(read.event);
      }
    }
    this.position = delivery.kind === 'event' ? delivery.event.position : delivery.position;
    if (!this.leads) return;
    const now = clock.monotonic();
    if (delivery.kind === 'checkpoint' && now - this.storedAt < IDLE_CHECKPOINT_MS) return;
    this.checkpoint.save(this.position);
    this.storedAt = now;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async untilTakenUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await this.inTurn(() => this.takeUp(signal));
      } catch (error) {
        this.dependencies.logger.error(
          { err: error },
          'The open work could not be taken up and is tried again',
        );
        await sleep(RESTART_PAUSE_MS, signal);
      }
    }
  }

  /** History is folded: takes up everything that is open in it. */
  private async takeUp(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { ledger, queue } = this.dependencies;
    const published = await queue.loadCheckpoint(DISPATCHER_CHECKPOINT);
    for (const entry of ledger.jobs.values()) {
      const inQueue = published !== null && this.position !== null && published <= this.position;
      const due = dueWork(entry.job);
      if (
        due?.at !== undefined ||
        due?.stage === 'finalize' ||
        !inQueue ||
        entry.position > published
      ) {
        await this.dispatch(entry);
      }
    }
    for (const source of ledger.sources.values()) {
      this.followUp(source);
    }
    this.leads = true;
    if (this.position !== null) await queue.saveCheckpoint(DISPATCHER_CHECKPOINT, this.position);
  }

  /** What ends work in this process, whoever leads. */
  private async endRuns(event: RecordedDomainEvent): Promise<void> {
    const { ledger, runs } = this.dependencies;
    switch (event.type) {
      case 'SourceRemoved': {
        const source = ledger.sources.get(event.data.source_id);
        if (source?.lastJobId) runs.end(source.lastJobId, 'The source was removed');
        break;
      }
      case 'JobStageLost':
        this.lostAttempts.add(event.data.job_id);
        runs.end(event.data.job_id, 'The lease was lost');
        break;
      case 'JobCompleted':
      case 'JobFailed':
      case 'JobCancelled': {
        const { job_id } = event.data;
        runs.end(job_id, `The job ended by ${event.type}`);
        // What the last stage of a completed job took in, its worker has deleted.
        if (this.lostAttempts.delete(job_id) || event.type !== 'JobCompleted')
          this.dependencies.onLeftBlobs();
        break;
      }
      default:
        break;
    }
    const sourceId = sourceOf(event);
    if (sourceId === null) return;
    const source = ledger.sources.get(sourceId);
    // A plan counts the content of published generations: a failed first sync leaves nothing beside
    // it.
    const failedFirst =
      event.type === 'JobFailed' && !source?.generations.some(({ state }) => state === 'published');
    if (!source || failedFirst) await this.dependencies.onSourceGone(sourceId);
  }

  private async react(event: RecordedDomainEvent): Promise<void> {
    const { ledger, tasks } = this.dependencies;
    if (
      event.type === 'JobCompleted' ||
      event.type === 'JobFailed' ||
      event.type === 'JobCancelled'
    ) {
      tasks.cancel(`retry:${event.data.job_id}`);
      tasks.cancel(`finalize:${event.data.job_id}`);
    }
    const entry = ledger.jobs.get(jobOf(event) ?? '');
    if (entry) await this.dispatch(entry);
    const source = ledger.sources.get(sourceOf(event) ?? '');
    if (!source) return;
    this.followUp(source);
  }

  /** What a source leaves to be done beside the loop. */
  private followUp(source: SourceEntry): void {
    repeatSecondAppends(source, this.dependencies);
    dropGenerations(source, this.dependencies);
  }

  /** Publishes due work, or plans it for its time; leaves started work alone. */
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

  /** Puts the due work of a job into its topic; null where no worker has anything to do. */
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
    return () =>
      this.dependencies.queue.publish(
        topic,
        [{ id: messageId, key: job.source_id, body }],
        options,
      );
  }
}

/**
 * Whether a worker has ended a stage and taken the next one in the same append: nobody else is to
 * be told of that.
 */
async function goesOn({ type, stream }: RecordedDomainEvent, ahead: LookAhead): Promise<boolean> {
  if (type !== 'JobStageAdvanced') return false;
  const next = await ahead();
  return (
    next?.kind === 'event' && next.event.type === 'JobStageStarted' && next.event.stream === stream
  );
}
