import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { apiKeyDecider, hourOfUse } from '#domain';
import { EVENT_STORE, type EventStore, handleCommand } from '#event-store';
import {
  CLOCK,
  type Clock,
  growingCache,
  LOGGER,
  type Logger,
  uuidv7,
  withTimeout,
} from '#platform';

import type { KeyPrincipal } from './principal.js';

/** From a key's first use in an hour to its event, milliseconds: requests never wait for it. */
const NOTED_AFTER_MS = 500;
/** Time limit of one event, milliseconds. */
const WITHIN_MS = 2_000;
/** Time limit of the remaining events at shutdown, milliseconds. */
const AT_END_MS = 3_000;
/** Keys whose last use this process remembers, besides those that wait. */
const MAX_REMEMBERED = 100_000;
/** Maximum keys whose use waits to be recorded. Further keys are recorded at a later use. */
const MAX_WAITING = 10_000;

interface Use {
  readonly tenantId: string;
  readonly usedAt: string;
}

/**
 * Records the use of keys. In memory each use counts, for the lists of this process. The log is
 * coarse: one event per key and hour (UTC), with the hour's first use that was seen, in the
 * background. It serves to find keys that nobody needs any more and is no history of requests. A
 * use that is lost by a crash or an unavailable log is recorded by the next one.
 */
@Injectable()
export class KeyUsage implements OnApplicationShutdown {
  /** The last hour of each key that is noted, or waits to be. */
  private readonly hours = new Map<string, string>();
  private waiting = new Map<string, Use>();
  /** The last use of each key that this process saw. */
  private readonly lastUses = growingCache<string>(MAX_REMEMBERED);
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'read'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A request was let through. Costs no more than a look into memory. */
  note({ keyId, tenantId }: KeyPrincipal): void {
    const usedAt = this.clock.now().toISOString();
    const hour = hourOfUse(usedAt);
    this.lastUses.set(keyId, usedAt);
    if ((this.hours.get(keyId) ?? '') >= hour || this.waiting.size >= MAX_WAITING) return;
    this.hours.set(keyId, hour);
    this.waiting.set(keyId, { tenantId, usedAt });
    this.timer ??= setTimeout(() => void this.flush(), NOTED_AFTER_MS).unref();
  }

  /**
   * Returns the last use of a key: by this process at any time, by others in an earlier hour or
   * first in this one.
   *
   * @param projected the value of the read model.
   */
  lastUse(keyId: string, projected: string | null): string | null {
    const seen = this.lastUses.get(keyId) ?? null;
    return seen === null || (projected !== null && projected > seen) ? projected : seen;
  }

  /** The log shows a use, maybe of another process; null: the key is gone. */
  known(keyId: string, usedAt: string | null): void {
    if (usedAt === null) {
      this.hours.delete(keyId);
      this.lastUses.delete(keyId);
    } else if (hourOfUse(usedAt) > (this.hours.get(keyId) ?? ''))
      this.hours.set(keyId, hourOfUse(usedAt));
  }

  /** Writes what waits. A failure leaves the rest to later uses. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    this.writing = this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  async onApplicationShutdown(): Promise<void> {
    await withTimeout(this.flush(), AT_END_MS, 'The uses of keys are not noted in time').catch(
      (error: unknown) => {
        this.logger.warn({ err: error }, 'key usage: recording last uses failed; retrying');
      },
    );
  }

  private async write(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = new Map();
    try {
      for (const [keyId, use] of waiting) {
        await this.append(keyId, use, this.clock.monotonic() + WITHIN_MS);
        waiting.delete(keyId);
      }
    } catch (error) {
      for (const keyId of waiting.keys()) this.hours.delete(keyId);
      this.logger.warn(
        { err: error, keys: waiting.size },
        'key usage: recording last uses failed; retrying',
      );
    }
  }

  private async append(keyId: string, { tenantId, usedAt }: Use, deadline: number): Promise<void> {
    const commandId = uuidv7();
    await handleCommand({
      store: this.store,
      decider: apiKeyDecider,
      stream: `apikey-${keyId}`,
      expected: 'existing',
      decide: (state) =>
        apiKeyDecider.decide({ type: 'NoteApiKeyUse', data: { used_at: usedAt } }, state),
      context: {
        commandId,
        metadata: {
          tenant_id: tenantId,
          actor: { type: 'system', id: 'key-usage' },
          correlation_id: commandId,
          causation_id: commandId,
          occurred_at: usedAt,
        },
        deadline,
      },
      clock: this.clock,
    });
  }
}
