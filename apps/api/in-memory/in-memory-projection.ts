import type { Position, RecordedEvent } from '#contracts';
import {
  type EventStore,
  followLog,
  isDeliveryOrder,
  isPositionAhead,
  oneByOne,
  type SubscriptionDelivery,
} from '#event-store';
import type { Clock, Logger } from '#platform';

/**
 * Milliseconds that a projection stays ready after it last matched the log. Older state (above all,
 * which keys are revoked) must not answer requests. `docs/architecture.md` states this limit.
 */
const READY_FOR_MS = 10_000;

const PAUSES = { firstMs: 100, longestMs: 5_000 };

/** State in memory and how to load it. Logs, metrics and `/health/ready` call it a follower. */
export interface InMemoryProjectionOptions {
  readonly name: string;
  /** Event types that `apply` takes. */
  readonly types: readonly string[];
  /**
   * Replaces the in-memory state with the rows of the read model.
   *
   * @returns the position that the read model had reached.
   */
  readonly load: () => Promise<Position | 'start'>;
  /** Takes one event that follows; applying an event twice must change nothing. */
  readonly apply: (event: RecordedEvent) => void | Promise<void>;
  readonly store: EventStore;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Holds a small piece of state in memory: loads it once from a read model, then follows a
 * subscription. So the writes of another process are visible within a second. A broken subscription
 * continues from the last position. If that position is past the log's end, the state is loaded
 * again from the read model.
 */
export class InMemoryProjection {
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<() => void>();
  private running: Promise<void> | undefined;
  private reached: Position | 'start' = 'start';
  private live = false;
  private loaded = false;
  /** Time when the state last matched the log, by `clock.monotonic()`. */
  private currentAt = -Infinity;
  /** Position that it must reach to match the log at a later moment. */
  private owed: { readonly position: Position; readonly at: number } | null = null;

  constructor(private readonly options: InMemoryProjectionOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** The event types it applies. */
  get types(): readonly string[] {
    return this.options.types;
  }

  /**
   * True after catching up, while the state matched the log within the last ten seconds. A broken
   * subscription may reconnect within this time. A log that does not answer, or whose events do not
   * arrive, makes the projection unready.
   */
  get ready(): boolean {
    return this.live && this.options.clock.monotonic() - this.currentAt <= READY_FOR_MS;
  }

  /** True if it has caught up with history once. */
  get hasCaughtUp(): boolean {
    return this.live;
  }

  /**
   * True if it can be compared with the log: not before it has caught up, nor while it must be
   * loaded again.
   */
  get provable(): boolean {
    return this.live && this.loaded;
  }

  get position(): Position | 'start' {
    return this.reached;
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Records the newest event of its types in the log at a moment of `clock.monotonic()`; null: no
   * newer event than recorded before. The projection matches the log of that moment once it has
   * applied that event.
   */
  provenAt(at: number, newest: Position | null): void {
    const position = newest ?? this.owed?.position ?? null;
    this.owed = position === null ? null : { position, at };
    if (position === null) this.currentAt = Math.max(this.currentAt, at);
    else this.settle();
  }

  /** Waits until everything up to `position` has been applied. @returns false on time-out. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.hasReached(position)) return true;
    return new Promise((resolve) => {
      const settle = (value: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(value);
      };
      const check = (): void => {
        if (this.hasReached(position)) settle(true);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.waiting.add(check);
    });
  }

  private settle(): void {
    if (!this.owed || !this.hasReached(this.owed.position)) return;
    this.currentAt = Math.max(this.currentAt, this.owed.at);
    this.owed = null;
  }

  private hasReached(position: Position): boolean {
    return this.reached !== 'start' && this.reached >= position;
  }

  private run(): Promise<void> {
    const { store, types, logger, name } = this.options;
    return followLog({
      store,
      filter: { types },
      signal: this.stopping.signal,
      from: async () => {
        if (!this.loaded) this.advance(await this.options.load());
        this.loaded = true;
        return this.reached;
      },
      take: oneByOne((delivery) => this.take(delivery)),
      backOff: PAUSES,
      onFailure: (error, retryInMs) => {
        // After a restore of an older log the state is invalid. After a missed event only a reload
        // has it.
        if (isPositionAhead(error) || isDeliveryOrder(error)) this.unload();
        const place = { follower: name, after: this.reached };
        logger.warn(
          { err: error, ...place, retry_in_ms: retryInMs },
          'in-memory projection: lost its subscription; resubscribing',
        );
      },
    });
  }

  /** Discards the state and the position to reach. */
  private unload(): void {
    this.loaded = false;
    this.owed = null;
  }

  private async take(delivery: SubscriptionDelivery): Promise<void> {
    if (delivery.kind === 'caught-up') {
      this.live = true;
      this.currentAt = this.options.clock.monotonic();
      return;
    }
    if (delivery.kind === 'event') await this.options.apply(delivery.event);
    this.advance(delivery.kind === 'event' ? delivery.event.position : delivery.position);
  }

  private advance(position: Position | 'start'): void {
    this.reached = position;
    this.settle();
    for (const check of [...this.waiting]) check();
  }
}
