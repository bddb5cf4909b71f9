import { type Position, type RecordedEvent, SYSTEM_TENANT, toCloudEvent } from '#contracts';
import { type EventStore, followLog, isPositionAhead, type PositionAheadError } from '#event-store';
import type { Logger } from '#platform';
import type { EventFeed } from '#queue';

import { batches, type DeliveredBatch } from '../runner/batches.js';
import { RETRY_PAUSES } from '../runner/pauses.js';
import type { ProjectionHealth, RunnerState } from '../runner/projector-context.js';

export interface FeedRelayDependencies {
  readonly eventStore: EventStore;
  readonly feed: Omit<EventFeed, 'close'>;
  readonly logger: Logger;
  /** Events published at once at most. Default 200. */
  readonly maxBatch?: number;
}

/**
 * Publishes the log to the feed. Only one relay may be active at a time; two would publish
 * everything twice.
 */
export interface FeedRelay {
  /** Takes the feed up where it stopped. */
  start(): void;
  /**
   * Resolves when what is in hand is published and noted, or failed. A relay that was stopped stays
   * so.
   */
  stop(): Promise<void>;
  health(): ProjectionHealth;
}

const DEFAULT_BATCH = 200;

/**
 * Follows the whole log and publishes each event, in order. The checkpoint is saved after the feed
 * has acknowledged: a crash in between repeats events and never leaves one out. Without a
 * checkpoint, the relay publishes the log from its start. It retries an unavailable feed without
 * end, at the start too, and its health shows that.
 */
export function createFeedRelay(dependencies: FeedRelayDependencies): FeedRelay {
  return new Relay(dependencies);
}

class Relay implements FeedRelay {
  private readonly stopping = new AbortController();
  private state: RunnerState = 'starting';
  private position: Position | null = null;
  private error: string | undefined;
  private oldest: number | undefined;
  private done: Promise<void> | undefined;

  constructor(private readonly dependencies: FeedRelayDependencies) {}

  start(): void {
    this.done ??= this.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.done;
    this.state = 'stopped';
  }

  health(): ProjectionHealth {
    const { position, state, error, oldest } = this;
    const lag = oldest === undefined ? 0 : Math.max(0, Date.now() - oldest);
    return { name: 'feed', position, lag, state, ...(error === undefined ? {} : { error }) };
  }

  private run(signal: AbortSignal): Promise<void> {
    const { eventStore, feed, maxBatch = DEFAULT_BATCH } = this.dependencies;
    return followLog({
      store: eventStore,
      signal,
      from: async () => {
        const saved = await feed.loadCheckpoint();
        this.position = saved ? (saved as Position) : null;
        this.state = 'catching-up';
        return this.position ?? 'start';
      },
      take: async (deliveries, taken) => {
        for await (const batch of batches(deliveries, maxBatch)) {
          await this.relay(batch);
          if (batch.to !== undefined) taken(batch.to);
        }
        return 'again';
      },
      backOff: RETRY_PAUSES,
      onFailure: async (error) => {
        if (!isPositionAhead(error)) return this.fail(error);
        await this.startOver(error).catch((cause: unknown) => this.fail(cause));
      },
    });
  }

  private fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const after = this.position ?? 'start';
    if (reason !== this.error)
      this.dependencies.logger.warn(
        { err: error, after },
        'The event feed failed and is tried again',
      );
    this.error = reason;
    this.state = 'retrying';
  }

  private async relay({ events, to, caughtUp }: DeliveredBatch): Promise<void> {
    const { feed } = this.dependencies;
    if (to !== undefined) {
      this.oldest ??= events[0]?.recordedAt.getTime();
      await feed.publish(events.filter(concernsTenant).map(toCloudEvent));
      await feed.saveCheckpoint(to);
      this.position = to;
      this.oldest = undefined;
      this.error = undefined;
    }
    if (!caughtUp) return;
    this.state = 'live';
    // Also where nothing was left to publish: the checkpoint was read.
    this.error = undefined;
  }

  /**
   * The log was put back to an older state: what was published of the lost part cannot be taken
   * back.
   */
  private async startOver(ahead: PositionAheadError): Promise<void> {
    this.dependencies.logger.error(
      { err: ahead },
      'The event feed is ahead of the log and goes on at its end',
    );
    await this.dependencies.feed.saveCheckpoint(ahead.head ?? '');
  }
}

/**
 * The feed is of tenants' events, and keyed by them: what the service notes for itself stays
 * inside.
 */
function concernsTenant({ metadata }: RecordedEvent): boolean {
  return metadata.tenant_id !== SYSTEM_TENANT;
}
