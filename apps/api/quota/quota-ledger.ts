import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import {
  isFootnoteError,
  limitsOf,
  type ProposedEvent,
  type QuotaLimit,
  type QuotaMetric,
  type QuotaUsage,
  type RateLimit,
  type Receipt,
  type ReceiptResults,
  type StreamName,
} from '#contracts';
import { quotaDecider, type QuotaState, refuseOver, tightest, usageOf } from '#domain';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock, eventId, revisionId, withTimeout } from '#platform';

import type { Caller } from '../auth/caller.js';
import { type Appended, BatchAppender } from './batch-appender.js';
import { proposedQuotaEvent } from './proposed-quota-event.js';
import { QuotaAccount } from './quota-account.js';
import { TenantPlans } from './tenant-plans.js';

/** Time limit of a charge at the store. */
const DEADLINE_MS = 5_000;
/** A store that does not even say that it is late is given up on after this. */
const GIVE_UP_MS = 15_000;
/** Maximum number of streams in memory, and of consumptions in them all. */
const KEPT_STREAMS = 10_000;
const KEPT_CONSUMPTIONS = 2_000_000;
/**
 * No request is rejected because of consumption that another process returned longer ago than this.
 */
const REFUSED_AFTER_MS = 1_000;

/** Something metered. */
export interface MeteredRequest {
  readonly caller: Caller;
  readonly metric: QuotaMetric;
}

/** The record of finished work. */
export interface Consumption {
  readonly receipt?: Receipt;
  /** Parts of the receipt's sealed text that did not fit into it, in order. */
  readonly continued?: readonly string[];
  /** Results that did not fit into it, in parts. */
  readonly continuedResults?: readonly ReceiptResults[];
}

export interface Charge {
  /** Time when the work was done, milliseconds since the epoch. */
  readonly at: number;
  /**
   * Made once the id is known, and again with another id after a conflict. Default: nothing but
   * that it was consumed.
   */
  readonly consumption?: (stream: StreamName, consumptionId: string) => Promise<Consumption>;
}

/** The rest after a charge, for the headers of the answer; null without a limit. */
export type Charged = Appended & { readonly rateLimit: RateLimit | null };

/** Quota that is reserved for work in progress. */
export interface Reservation {
  /**
   * Resolves when the charge is stored; its id contains its revision in the stream (`revisionOf`).
   * At most once for each reservation.
   *
   * @throws FootnoteError `quota_exceeded` where another process consumed the rest in between;
   * `engine_unavailable` or `storage_full`. The work must not be answered then.
   */
  charge(charge: Charge): Promise<Charged>;
  /** Returns the part that was not charged; must be called whatever the outcome of the work. */
  release(): void;
}

/** State for decisions, and the revision of the first new event. */
export interface Moment {
  readonly state: QuotaState;
  readonly revision: bigint;
}

/** A quota stream in this process. */
interface Account {
  readonly book: QuotaAccount;
  readonly appender: BatchAppender;
}

/** The stream of one metric of a tenant. */
export function quotaStream(tenantId: string, metric: QuotaMetric): StreamName {
  return `quota-${tenantId}-${metric}`;
}

/**
 * Charges metered work to the tenant's quota, exactly, also where several processes do. Each charge
 * is decided on everything that the stream holds, and appended at the revision of that decision.
 * Many charges of a moment share one append.
 */
@Injectable()
export class QuotaLedger {
  private readonly accounts = new LRUCache<StreamName, Account>({
    max: KEPT_STREAMS,
    maxSize: KEPT_CONSUMPTIONS,
    sizeCalculation: ({ book }) => 1 + book.size,
  });

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly plans: TenantPlans,
  ) {}

  /**
   * Reserves quota for work that is about to begin.
   *
   * @throws FootnoteError `quota_exceeded` where nothing is left: the work need not begin.
   */
  async reserve(order: MeteredRequest): Promise<Reservation> {
    const { book } = this.account(order);
    const limits = this.limitsOf(order);
    if (limits.length > 0) await this.keep(book, limits);
    else book.reserved += 1;
    let held = true;
    const release = () => {
      if (held) book.reserved -= 1;
      held = false;
    };
    return { release, charge: (charge) => this.charge(order, charge).finally(release) };
  }

  /** Charges what was done, without a reservation. @throws as {@link Reservation.charge}. */
  async charge(order: MeteredRequest, { at, consumption }: Charge): Promise<Charged> {
    const stream = streamOf(order);
    const appended = await this.append(order, async ({ state, revision }) => {
      const id = revisionId(at, revision);
      const details = consumption ? await consumption(stream, id) : {};
      return this.consumed(order, state, { id, at, ...details });
    });
    return { ...appended, rateLimit: this.rateLimit(order) };
  }

  /** Returns the use of the limits on a metric, including other processes. */
  async usage(order: MeteredRequest): Promise<QuotaUsage[]> {
    const limits = this.limitsOf(order);
    if (limits.length === 0) return [];
    const { book } = this.account(order);
    await withTimeout(book.read(), DEADLINE_MS, 'The event log did not answer');
    return this.usages(book, limits);
  }

  /** Returns the rest of the tightest limit known to this process; null without a limit. */
  rateLimit(order: MeteredRequest): RateLimit | null {
    const usages = this.usages(this.account(order).book, this.limitsOf(order));
    return tightest(usages, this.clock.now().getTime());
  }

  /**
   * Appends what is decided on the state that the stream has then; decided again after a conflict.
   * @throws what `decide` throws; FootnoteError `engine_unavailable` or `storage_full`.
   */
  async append(
    order: MeteredRequest,
    decide: (at: Moment) => Promise<readonly ProposedEvent[]>,
  ): Promise<Appended> {
    const account = this.account(order);
    const { appender, book } = account;
    const eventsAt = (revision: bigint) => decide({ state: book.batchState, revision });
    const appended = appender.add(eventsAt, this.clock.monotonic() + DEADLINE_MS);
    const settled = await withTimeout(appended, GIVE_UP_MS, 'The event log did not answer');
    // Its size has changed. If a busy account is evicted, two write to the stream for a moment: one
    // gets a conflict and reads the stream again.
    const stream = streamOf(order);
    if (this.accounts.peek(stream)?.book === book) this.accounts.set(stream, { ...account });
    return settled;
  }

  /** The events that consume one. @throws FootnoteError `quota_exceeded`. */
  consumed(
    order: MeteredRequest,
    state: QuotaState,
    { id, at, ...details }: Consumption & { readonly id: string; readonly at: number },
  ): ProposedEvent[] {
    const { caller, metric } = order;
    const data = { metric, amount: 1, at, limits: this.limitsOf(order), ...details };
    const events = quotaDecider.decide({ type: 'ConsumeQuota', data }, state);
    return events.map((event, index) =>
      proposedQuotaEvent(event, index === 0 ? id : eventId(id, index), caller, at),
    );
  }

  /**
   * Nothing may come between the look and the reservation: of many at once, each has to see those
   * before it.
   */
  private async keep(book: QuotaAccount, limits: readonly QuotaLimit[]): Promise<void> {
    const read = () => withTimeout(book.read(), DEADLINE_MS, 'The event log did not answer');
    const keepOne = () => {
      const now = this.clock.now().getTime();
      refuseOver(limits, book.state.consumptions, { amount: 1, now, reserved: book.reserved });
      book.reserved += 1;
    };
    if (book.known === undefined) await read();
    else book.fitToClock();
    try {
      keepOne();
    } catch (error) {
      const isOld = this.clock.monotonic() - book.readAt > REFUSED_AFTER_MS;
      if (!isFootnoteError(error, 'quota_exceeded') || !isOld) throw error;
      await read();
      keepOne();
    }
  }

  private usages(book: QuotaAccount, limits: readonly QuotaLimit[]): QuotaUsage[] {
    const now = this.clock.now().getTime();
    return limits.map((limit) => usageOf(limit, book.state.consumptions, now));
  }

  private limitsOf({ caller, metric }: MeteredRequest): readonly QuotaLimit[] {
    return limitsOf(this.plans.of(caller.tenantId), metric);
  }

  private account(order: MeteredRequest): Account {
    const stream = streamOf(order);
    const kept = this.accounts.get(stream);
    if (kept) return kept;
    // Prepaid charges are recognized by their consumptions; for searches only the windows matter.
    const counts = () => order.metric !== 'search' || this.limitsOf(order).length > 0;
    const book = new QuotaAccount(this.store, stream, this.clock, counts);
    const account = { book, appender: new BatchAppender(this.store, stream, this.clock, book) };
    this.accounts.set(stream, account);
    return account;
  }
}

function streamOf({ caller, metric }: MeteredRequest): StreamName {
  return quotaStream(caller.tenantId, metric);
}
