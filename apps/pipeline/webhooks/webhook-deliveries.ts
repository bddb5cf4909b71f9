import {
  type DomainEvent,
  EVENT_DEFINITIONS,
  type Position,
  type RecordedEvent,
  UNDELIVERED_TYPES,
} from '#contracts';
import type { EventStore, RecordedDomainEvent } from '#event-store';
import { backOffMs, type Clock, FairSemaphore, type KeyRing, type Logger } from '#platform';
import type { GuardedHttp } from '#platform/http/guarded-http';
import type { ReadModel } from '#read-model';

import type { Reactor, ReactorRun, ReactorState } from '../reactor/reactor.types.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryQueue } from './delivery-queue.js';
import { type Endpoint, ENDPOINT_TYPES, EndpointBook } from './endpoint-book.js';
import { EndpointTurn, type TurnEnd } from './endpoint-turn.js';

export interface WebhookDeliveriesDependencies {
  readonly store: EventStore;
  /** The audit records, which number the events of each tenant. */
  readonly readModel: Pick<ReadModel, 'ask' | 'waitFor'>;
  readonly http: Pick<GuardedHttp, 'request'>;
  readonly keyRing: Pick<KeyRing, 'open'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Endpoints that receive at once, in all and of one tenant. */
const PLACES = { places: 64, mostOfTenant: 16, spare: 16 };
/** Time that a turn waits for the trail to show the newest event, milliseconds. */
const TRAIL_WAIT_MS = 2_000;
const RETRIES = { firstMs: 1_000, longestMs: 60_000, jitter: 0.2 };

/** State of an endpoint that only this process has; the log does not record it. */
interface Progress {
  /** Newest event of its tenant that may be delivered. */
  wanted: Position | null;
  /** True if events may wait. */
  woken: boolean;
  /** Time of the next turn without a new event, by the wall clock. */
  dueAt: number;
  /** Turns in a row that failed for a reason of the service itself. */
  failures: number;
}

/**
 * Delivers the events of each tenant to its webhook endpoints: at least once, and in order for each
 * endpoint. Endpoints have turns of their own, so a slow one delays no other.
 */
export class WebhookDeliveries implements Reactor {
  readonly name = 'webhooks';
  readonly eventTypes = ENDPOINT_TYPES;
  readonly noticedEventTypes: readonly DomainEvent['type'][] = EVENT_DEFINITIONS.map(
    ({ type }) => type,
  ).filter((type) => !UNDELIVERED_TYPES.includes(type));
  readonly state: ReactorState;
  private readonly book = new EndpointBook();
  private readonly progress = new Map<string, Progress>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly slots = new FairSemaphore(PLACES);
  private readonly turn: EndpointTurn;

  constructor(private readonly dependencies: WebhookDeliveriesDependencies) {
    const { book } = this;
    this.turn = new EndpointTurn({
      ...dependencies,
      book,
      queue: new DeliveryQueue(dependencies),
      log: new DeliveryLog({ ...dependencies, book }),
    });
    this.state = {
      version: 1,
      save: () => book.all,
      load: (line) => book.put(line as Endpoint),
      clear: () => book.clear(),
    };
  }

  apply(event: RecordedDomainEvent): boolean {
    this.book.apply(event);
    if (event.type === 'WebhookUpdated') this.turn.forget(event.data.webhook_id);
    return false;
  }

  /** Delivers nothing more of the tenant: its endpoints may have changed, or its erasure begun. */
  unreadable({ metadata }: RecordedEvent): void {
    this.book.leaveOut(metadata.tenant_id);
  }

  /** Wakes the endpoints of the tenant: the trail has something new for them. */
  notice(event: RecordedEvent): boolean {
    let isWanted = false;
    for (const { webhook_id, enabled } of this.book.of(event.metadata.tenant_id)) {
      if (!enabled) continue;
      const progress = this.progressOf(webhook_id);
      isWanted ||= !progress.woken;
      progress.wanted = event.position;
      progress.woken = true;
    }
    return isWanted;
  }

  /**
   * Looks at every endpoint: an earlier leader may have left events, up to the head of the log.
   * Most of their types are not folded, and the trail may show them later.
   */
  async takeOver(): Promise<void> {
    const head = await this.dependencies.store.head();
    for (const { webhook_id } of this.book.all) {
      const progress = this.progressOf(webhook_id);
      if (head !== null && (progress.wanted ?? '') < head) progress.wanted = head;
      progress.woken = true;
    }
  }

  /** Starts the turns that are due and does not wait for them. */
  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const now = this.dependencies.clock.now().getTime();
    for (const [webhookId, progress] of this.progress) {
      const endpoint = this.book.find(webhookId);
      if (!endpoint) this.progress.delete(webhookId);
      if (!endpoint?.enabled || this.running.has(webhookId)) continue;
      if (!isDue(endpoint, progress, now)) continue;
      const turn = this.take(endpoint, progress, signal);
      this.running.set(webhookId, turn);
      void turn.finally(() => this.running.delete(webhookId));
    }
  }

  /** Waits for the turns that have begun. */
  async release(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async take(
    { tenant_id, webhook_id }: Endpoint,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.dependencies;
    try {
      let end: TurnEnd = { kind: 'more' };
      while (end.kind === 'more' && !signal.aborted) {
        end = await this.slots.run(
          tenant_id,
          async () => {
            progress.woken = false;
            const isShown = await this.shows(progress.wanted);
            const result = await this.turn.run(webhook_id, signal);
            if (!isShown) progress.woken = true;
            return result;
          },
          signal,
        );
        if (progress.woken && end.kind === 'idle') end = { kind: 'more' };
      }
      progress.failures = 0;
      progress.dueAt = end.kind === 'later' ? end.at : Infinity;
    } catch (error) {
      progress.woken = true;
      if (signal.aborted) return;
      progress.failures += 1;
      const retryInMs = Math.round(backOffMs(RETRIES, progress.failures));
      progress.dueAt = clock.now().getTime() + retryInMs;
      logger.warn(
        { err: error, webhook_id, tenant_id, retry_in_ms: retryInMs },
        'reactor webhooks: a turn failed; retrying',
      );
    }
  }

  /** Waits until the trail shows the newest event. @returns false if it is late. */
  private async shows(position: Position | null): Promise<boolean> {
    if (position === null) return true;
    return this.dependencies.readModel.waitFor('audit_records', position, TRAIL_WAIT_MS);
  }

  private progressOf(webhookId: string): Progress {
    const known = this.progress.get(webhookId);
    if (known) return known;
    const fresh = { wanted: null, woken: false, dueAt: -Infinity, failures: 0 };
    this.progress.set(webhookId, fresh);
    return fresh;
  }
}

/** Reports whether an endpoint may have a turn now. */
function isDue({ failing }: Endpoint, { woken, failures, dueAt }: Progress, now: number): boolean {
  if (failures > 0) return dueAt <= now;
  if (failing?.retry_at) return Date.parse(failing.retry_at) <= now;
  return woken || dueAt <= now;
}
