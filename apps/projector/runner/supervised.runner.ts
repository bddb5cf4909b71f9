import type { Position } from '#contracts';
import {
  type DeliveryOrderError,
  followLog,
  isDeliveryOrder,
  isUnreadableEvent,
  type SubscriptionDelivery,
} from '#event-store';
import { asProjector, liveVersion, type ProjectionName, readCheckpoint } from '#read-model';

import { RETRY_PAUSES } from './pauses.js';
import type { ProjectionHealth, ProjectorContext, RunnerState } from './projector-context.js';

export interface RunnerOptions {
  /** Fills this version and ends when it has caught up, instead of following the live one. */
  readonly version?: number;
}

/** The checkpoint of a version when a runner starts on it. */
export interface StoredCheckpoint {
  readonly version: number;
  readonly position: Position | null;
}

/** One subscription, from a stored checkpoint on. */
export interface RunnerSubscription {
  readonly checkpoint: StoredCheckpoint;
  readonly deliveries: AsyncIterable<SubscriptionDelivery>;
  /** Ends the deliveries without an error. */
  readonly end: () => void;
  /** Aborts when the runner is stopped. */
  readonly stopping: AbortSignal;
}

/**
 * Keeps a projection running. Restarts from its stored checkpoint whenever its work ends for
 * whatever reason, so that it may be killed, doubled or overtaken at any point.
 *
 * Failures are retried for ever with backoff, except an event that this version cannot read. Such
 * an event stops the runner, because skipping it would make the rows wrong. A delivery out of order
 * is logged and counted; if the stored checkpoint is past it already, the rows must be rebuilt.
 */
export abstract class SupervisedRunner {
  protected state: RunnerState = 'starting';
  protected position: Position | null = null;
  /** Events applied since the start. */
  events = 0;
  private readonly stopping = new AbortController();
  private readonly firstCaughtUp = Promise.withResolvers<void>();
  private error: string | undefined;
  private outOfOrder = 0;
  private done: Promise<void> | undefined;
  private taken: (position: Position) => void = () => undefined;

  constructor(
    protected readonly context: ProjectorContext,
    protected readonly name: ProjectionName,
    private readonly handles: readonly string[],
    protected readonly options: RunnerOptions,
  ) {
    this.firstCaughtUp.promise.catch(() => undefined);
  }

  /** Processes deliveries until they end; `again` asks for a restart from the stored checkpoint. */
  protected abstract follow(subscription: RunnerSubscription): Promise<'again' | 'done'>;

  /**
   * Recording time of the oldest event that was seen and is not in the rows; undefined when there
   * is no such event.
   */
  protected abstract pendingSince(): number | undefined;

  /** Neither started nor stopped yet. */
  get isFresh(): boolean {
    return this.done === undefined && !this.stopping.signal.aborted;
  }

  start(): void {
    this.done ??= this.run();
  }

  /** Resolves when what is in hand is committed or rolled back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.done;
    if (this.state !== 'failed') this.state = 'stopped';
    this.firstCaughtUp.reject(new Error(`Projection ${this.name} was stopped`));
  }

  /** Runs a version until it has caught up. @throws Error when it cannot. */
  async finished(): Promise<void> {
    this.start();
    await this.done;
    if (this.state !== 'live')
      throw new Error(`Projection ${this.name} did not finish: ${this.error ?? this.state}`);
  }

  /**
   * Resolves once the history that the log had at the start is applied.
   *
   * @throws Error when it cannot be, or on `stop`.
   */
  caughtUp(): Promise<void> {
    return this.firstCaughtUp.promise;
  }

  health(): ProjectionHealth {
    const since = this.pendingSince();
    const lag = since === undefined ? 0 : Math.max(0, Date.now() - since);
    const { name, position, state, outOfOrder } = this;
    return { name, position, lag, state, outOfOrder, ...(this.error ? { error: this.error } : {}) };
  }

  /** To be called after each step that was committed. */
  protected advanced(position: Position, events: number): void {
    this.position = position;
    this.events += events;
    this.error = undefined;
    this.taken(position);
    this.tellReached();
  }

  /** Must be called when everything that the log had at the start is applied. */
  protected becameLive(): void {
    this.state = 'live';
    this.error = undefined;
    this.firstCaughtUp.resolve();
  }

  private async run(): Promise<void> {
    const { signal: stopping } = this.stopping;
    let checkpoint: StoredCheckpoint;
    try {
      await followLog({
        store: this.context.eventStore,
        filter: { types: this.handles },
        signal: stopping,
        from: async () => {
          checkpoint = await this.stored();
          this.position = checkpoint.position;
          this.state = 'catching-up';
          this.tellReached();
          return checkpoint.position ?? 'start';
        },
        take: (deliveries, taken, end) => {
          this.taken = taken;
          return this.follow({ checkpoint, deliveries, end, stopping });
        },
        backOff: RETRY_PAUSES,
        onFailure: async (error) => {
          if (this.failsForGood(error)) throw error;
          if (isDeliveryOrder(error)) await this.checkPassedOver(error);
        },
      });
    } catch (error) {
      // Reported where it happened: `failed` is the end of this runner.
      if (this.state !== 'failed') throw error;
    }
  }

  /** Only what queries see is of interest to who waits. */
  private tellReached(): void {
    if (this.position && this.options.version === undefined)
      this.context.progress.report(this.name, this.position);
  }

  private stored(): Promise<StoredCheckpoint> {
    const { name } = this;
    const { version } = this.options;
    return asProjector(this.context.dataSource, async (manager) => {
      const live = await liveVersion(manager, name);
      if (!live) throw new Error(`Read model ${name} was never made: the migrations did not run`);
      if (version === undefined) return live;
      return { version, position: (await readCheckpoint(manager, { name, version })) ?? null };
    });
  }

  /** Skips nothing in silence: late events are read again, or are in rows that are rebuilt. */
  private async checkPassedOver({ position, previous }: DeliveryOrderError): Promise<void> {
    this.outOfOrder += 1;
    const { name, context } = this;
    const stored = await this.stored().catch(() => null);
    const passedOver = stored?.position != null && stored.position >= position;
    context.logger.error(
      { projection: name, position, previous, stored: stored?.position, rebuild: passedOver },
      'the log delivered an event out of order',
    );
    if (passedOver && this.options.version === undefined) context.onPassedOver(name);
  }

  private failsForGood(error: unknown): boolean {
    this.error = error instanceof Error ? error.message : String(error);
    const failed = isUnreadableEvent(error);
    this.state = failed ? 'failed' : 'retrying';
    const fields = { projection: this.name, after: this.position ?? 'start', err: error };
    if (!failed) {
      this.context.logger.warn(fields, 'a projection failed and is tried again');
      return false;
    }
    this.context.logger.error(
      fields,
      'a projection stopped: it cannot read an event that it handles',
    );
    this.firstCaughtUp.reject(error);
    return true;
  }
}
