import { Inject, Injectable } from '@nestjs/common';

import type { RateLimit } from '#contracts';
import { findConsumption, quotaDecider, type QuotaState } from '#domain';
import { CLOCK, type Clock, LOGGER, type Logger, uuidv5 } from '#platform';

import { proposedQuotaEvent } from './proposed-quota-event.js';
import { type MeteredRequest, QuotaLedger } from './quota-ledger.js';

/** The charge for work. */
export interface PrepaidCharge {
  readonly consumptionId: string;
  /**
   * The command had been charged before, and was not again. Of two at the same moment, possibly
   * neither shows it.
   */
  readonly repeated: boolean;
  readonly rateLimit: RateLimit | null;
}

/** Thrown out of a decision that changes nothing. */
class Unchanged extends Error {
  constructor(readonly consumptionId: string) {
    super('Nothing changes');
  }
}

/**
 * Work that is charged before it begins, because it costs much: chat, Rover, fetching a package.
 * The charge has the identity of the command: a command that is repeated, because its answer or its
 * process was lost, is charged once. Work that fails gives its charge back; a process that dies in
 * between leaves it charged, since what it cost was spent.
 */
@Injectable()
export class PrepaidWork {
  constructor(
    private readonly ledger: QuotaLedger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Charges, then does the work; returns the charge if the work fails.
   *
   * @param commandId from `CommandIdentities`.
   * @throws FootnoteError `quota_exceeded` before anything is done; errors of the work.
   */
  async chargeFirst<T>(
    order: MeteredRequest,
    commandId: string,
    work: (charge: PrepaidCharge) => Promise<T>,
  ): Promise<T> {
    const charge = await this.charge(order, commandId);
    try {
      return await work(charge);
    } catch (error) {
      await this.giveBackOrLog(order, charge.consumptionId);
      throw error;
    }
  }

  /**
   * Charges a command once, however often it is sent, as long as the charge exists. A returned
   * charge is charged again.
   */
  async charge(order: MeteredRequest, commandId: string): Promise<PrepaidCharge> {
    const at = this.clock.now().getTime();
    try {
      const { id } = await this.ledger.append(order, async ({ state }) => {
        const id = nextChargeId(state, commandId);
        return this.ledger.consumed(order, state, { id, at });
      });
      return { consumptionId: id, repeated: false, rateLimit: this.ledger.rateLimit(order) };
    } catch (error) {
      if (!(error instanceof Unchanged)) throw error;
      return {
        consumptionId: error.consumptionId,
        repeated: true,
        rateLimit: this.ledger.rateLimit(order),
      };
    }
  }

  /**
   * Returns the charge of failed work; a second time, or after the longest window, it changes
   * nothing.
   */
  async giveBack(order: MeteredRequest, consumptionId: string): Promise<void> {
    const { caller, metric } = order;
    try {
      await this.ledger.append(order, async ({ state }) => {
        const data = { metric, consumption_id: consumptionId };
        const events = quotaDecider.decide({ type: 'ReturnQuota', data }, state);
        if (events.length === 0) throw new Unchanged(consumptionId);
        const at = this.clock.now().getTime();
        return events.map((event) =>
          proposedQuotaEvent(event, uuidv5('return', consumptionId), caller, at),
        );
      });
    } catch (error) {
      if (!(error instanceof Unchanged)) throw error;
    }
  }

  /** As {@link giveBack}, but logs a failure: the charge then stays. */
  async giveBackOrLog(order: MeteredRequest, consumptionId: string): Promise<void> {
    try {
      await this.giveBack(order, consumptionId);
    } catch (failure) {
      const about = {
        tenant_id: order.caller.tenantId,
        metric: order.metric,
        consumption_id: consumptionId,
      };
      this.logger.error({ err: failure, ...about }, 'quota: refunding failed work failed');
    }
  }
}

/**
 * A command that was charged and refunded gets another id each time. @throws Unchanged where it
 * is charged.
 */
function nextChargeId({ consumptions }: QuotaState, commandId: string): string {
  for (let turn = 0; ; turn += 1) {
    const id = uuidv5('charge', commandId, String(turn));
    const known = findConsumption(consumptions, id);
    if (!known) return id;
    if (known.amount > 0) throw new Unchanged(id);
  }
}
