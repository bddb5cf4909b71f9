import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { refusalDecider } from '#domain';
import { commandContext, EVENT_STORE, type EventStore, handleCommand } from '#event-store';
import { CLOCK, type Clock, LOGGER, type Logger, uuidv5, withTimeout } from '#platform';

import { type CountedRefusals, type Refusal, RefusalCounts } from './refusal-counts.js';

/** Time limit of one event, milliseconds. */
const WITHIN_MS = 2_000;
/** Pause after the log failed, milliseconds. */
const RETRY_MS = 10_000;
/** Time limit of the remaining events at shutdown, milliseconds. */
const AT_END_MS = 3_000;
/** Events that wait for a log that fails; the oldest beyond them are only counted. */
const MAX_WAITING = 20_000;

/**
 * Records refused requests as events, in the background: one event per actor or address, code and
 * minute, at most 60 per tenant and minute. A failing log fails no request. A crash loses the
 * refusals of its minute.
 */
@Injectable()
export class Refusals implements OnApplicationShutdown {
  private readonly counts: RefusalCounts;
  private waiting: CountedRefusals[] = [];
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'read'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.counts = new RefusalCounts(() => this.clock.now());
  }

  /** Counts a refused request. Costs no more than a look into memory. */
  note(refusal: Refusal): void {
    this.counts.add(refusal);
    this.schedule(this.counts.untilMinuteEnds());
  }

  /**
   * Appends the events of minutes that are over.
   * @param options.all includes the current minute, whose later refusals get further events
   */
  async flush({ all = false } = {}): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write(all));
    await this.writing;
    if (this.waiting.length > 0) this.schedule(RETRY_MS);
    else if (this.counts.size > 0) this.schedule(this.counts.untilMinuteEnds());
  }

  async onApplicationShutdown(): Promise<void> {
    const flushed = this.flush({ all: true });
    await withTimeout(flushed, AT_END_MS, 'Refusals were not recorded in time').catch(
      (error: unknown) => {
        this.logger.warn({ err: error }, 'refusals: recording failed at shutdown; they are lost');
      },
    );
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    this.timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  private async write(all: boolean): Promise<void> {
    this.waiting.push(...this.counts.take(all));
    const dropped = this.waiting.splice(0, Math.max(0, this.waiting.length - MAX_WAITING));
    for (const entry of dropped) this.leaveUncounted(entry);
    for (;;) {
      const [next] = this.waiting;
      if (!next) return;
      try {
        if (!(await this.append(next))) this.leaveUncounted(next);
        this.waiting.shift();
      } catch (error) {
        const fields = { err: error, waiting: this.waiting.length };
        this.logger.warn(fields, 'refusals: recording failed; retrying');
        return;
      }
    }
  }

  private leaveUncounted({ first, count, uncounted = 0 }: CountedRefusals): void {
    this.counts.addUncounted(first.tenantId, count + uncounted);
  }

  /** Returns whether the minute had room for the event. */
  private async append(entry: CountedRefusals): Promise<boolean> {
    const { first, minute, count, firstAt } = entry;
    entry.uncounted ??= this.counts.takeUncounted(first.tenantId);
    const data = {
      code: first.code,
      status: first.status,
      minute,
      count,
      route: first.route,
      user_id: first.userId,
      account_digest: first.accountDigest,
      source_id: first.sourceId,
      uncounted: entry.uncounted,
    };
    const origin = {
      tenant_id: first.tenantId,
      actor: first.actor,
      http: first.http,
      correlation_id: first.http.request_id,
    };
    const context = commandContext(this.clock, origin, entry.commandId);
    const { events } = await handleCommand({
      store: this.store,
      decider: refusalDecider,
      stream: `refusals-${uuidv5('refusals', first.tenantId, minute)}`,
      expected: 'any',
      decide: (state) => refusalDecider.decide({ type: 'RecordRefusals', data }, state),
      context: {
        ...context,
        metadata: { ...context.metadata, occurred_at: firstAt },
        deadline: this.clock.monotonic() + WITHIN_MS,
      },
      clock: this.clock,
    });
    return events.length > 0;
  }
}
