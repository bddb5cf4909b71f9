import { EventEmitter } from 'node:events';

import { Inject, Injectable } from '@nestjs/common';

import type { Position, RecordedEvent } from '#contracts';
import {
  EVENT_STORE,
  type EventStore,
  followLog,
  isDeliveryOrder,
  isPositionAhead,
  oneByOne,
} from '#event-store';
import { LOGGER, type Logger } from '#platform';

const RESUBSCRIBE = { firstMs: 100, longestMs: 5_000 };

/** Receives each new event of a tenant, or the position up to which events may be missed. */
export type FeedListener = (position: Position, event?: RecordedEvent) => void;

/**
 * Reports new events to the open feeds of this process. All feeds share one subscription of the
 * log, which lasts while at least one feed is open.
 */
@Injectable()
export class FeedActivity {
  private readonly listeners = new EventEmitter().setMaxListeners(0);
  private readonly tenants = new Map<string, number>();
  private following: AbortController | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Calls back on every new event of a tenant. @returns a function that stops it. */
  onActivity(tenantId: string, listener: FeedListener): () => void {
    this.listeners.on(tenantId, listener);
    this.tenants.set(tenantId, (this.tenants.get(tenantId) ?? 0) + 1);
    if (!this.following) {
      this.following = new AbortController();
      void this.follow(this.following.signal);
    }
    return () => this.leave(tenantId, listener);
  }

  private leave(tenantId: string, listener: FeedListener): void {
    this.listeners.off(tenantId, listener);
    const left = (this.tenants.get(tenantId) ?? 1) - 1;
    if (left > 0) this.tenants.set(tenantId, left);
    else this.tenants.delete(tenantId);
    if (this.tenants.size > 0) return;
    this.following?.abort();
    this.following = undefined;
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let isLost = false;
    let since: Position | 'start' = 'start';
    await followLog({
      store: this.store,
      signal,
      from: async (reached) => {
        since = (isLost ? null : reached) ?? (await this.store.head()) ?? 'start';
        isLost = false;
        return since;
      },
      take: oneByOne((delivery) => {
        if (delivery.kind === 'event') {
          this.listeners.emit(
            delivery.event.metadata.tenant_id,
            delivery.event.position,
            delivery.event,
          );
        } else if (delivery.kind === 'caught-up' && since !== 'start') {
          // A feed may have read its first page before this subscription began.
          for (const tenantId of this.tenants.keys()) this.listeners.emit(tenantId, since);
        }
      }),
      backOff: RESUBSCRIBE,
      onFailure: (error, retryInMs) => {
        // Feeds read what was missed from the trail; only the wake-up continues at the log's end.
        isLost = isPositionAhead(error) || isDeliveryOrder(error);
        this.logger.warn(
          { err: error, retry_in_ms: retryInMs },
          'event feed: lost its subscription; resubscribing',
        );
      },
    });
  }
}
