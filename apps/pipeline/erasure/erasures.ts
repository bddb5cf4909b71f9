import { followLog, oneByOne, type SubscriptionDelivery, upcast } from '#event-store';
import { backOffMs, conversationKeys, type Logger, personKeys } from '#platform';

import type { Cause } from '../log/commands.js';
import { CONVERSATION_TYPES, ConversationLedger } from './conversation-ledger.js';
import { eraseConversation } from './erase-conversation.js';
import { erasePerson } from './erase-person.js';
import { eraseTenant, type EraseTenantDependencies, removeSources } from './erase-tenant.js';
import { PEOPLE_TYPES, PeopleLedger } from './people-ledger.js';
import { removeSource } from './remove-source.js';

export interface ErasuresDependencies extends Omit<EraseTenantDependencies, 'people'> {
  readonly logger: Logger;
  /** True while this process is the one that acts. */
  readonly leads: () => boolean;
  /** How long the process that made a first append is given for its second, milliseconds. */
  readonly graceMs: number;
}

const TYPES = [...new Set(['TenantErased' as const, ...PEOPLE_TYPES, ...CONVERSATION_TYPES])];
const RESTART_PAUSE = { firstMs: 1_000, longestMs: 1_000 };
/** From one try at an erasure that is not done to the next. */
const TRIES = { firstMs: 1_000, longestMs: 60_000 };
/** Keys of what was erased before that one look looks after: an engine is asked about each. */
const KEYS_A_LOOK = 500;

interface OpenErasure {
  readonly cause: Cause;
  tries: number;
  /** When to try again, by the monotonic clock. */
  nextAt: number;
}

/**
 * Carries out the erasures that the log asks for, of tenants and of people with their
 * conversations. Every process folds them from the start of the log; the one that leads acts, as
 * often as it takes. What was erased once is kept so: a key that the log says is destroyed is
 * destroyed again where an older key ring was put back, and what a process that did not know yet
 * still registered is removed.
 */
export class Erasures {
  private readonly open = new Map<string, OpenErasure>();
  private readonly erased = new Map<string, Cause>();
  private readonly people: PeopleLedger;
  private readonly conversations: ConversationLedger;
  /**
   * Erased tenants, people and conversations whose keys may be there again, as the ring names them.
   */
  private readonly unsure = new Set<string>();
  private caughtUp = false;
  private signal: AbortSignal = AbortSignal.abort();

  constructor(private readonly dependencies: ErasuresDependencies) {
    this.people = new PeopleLedger(dependencies.clock);
    this.conversations = new ConversationLedger(dependencies.clock);
  }

  /** Follows the log until the signal aborts; an engine that is away is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, logger } = this.dependencies;
    this.signal = signal;
    await followLog({
      store,
      filter: { types: TYPES },
      signal,
      from: (reached) => reached ?? 'start',
      take: oneByOne((delivery) => this.take(delivery)),
      backOff: RESTART_PAUSE,
      onFailure: (error) => logger.error({ err: error }, 'Erasures lost the log and try again'),
    });
  }

  /**
   * Does what is due; nothing before history is folded. A failure leaves the rest to the next look.
   */
  async look(): Promise<void> {
    if (!this.caughtUp) return;
    await this.destroyKeysAgain();
    const { leads, clock } = this.dependencies;
    for (const [tenantId, erasure] of this.open) {
      if (!leads() || this.signal.aborted) return;
      if (erasure.nextAt > clock.monotonic()) continue;
      await this.attempt(tenantId, erasure);
    }
    if (leads())
      for (const cause of this.erased.values()) await removeSources(this.dependencies, cause);
    const { graceMs } = this.dependencies;
    for (const person of this.people.due((id) => this.erased.has(id), graceMs)) {
      if (!leads() || this.signal.aborted) return;
      await erasePerson(this.dependencies, person);
    }
    await this.eraseConversations();
  }

  /**
   * What people who left have said and uploaded, and what an upload that was under way still
   * registered after a deletion.
   */
  private async eraseConversations(): Promise<void> {
    const { leads, graceMs } = this.dependencies;
    for (const conversation of this.conversations.leftBehind(graceMs)) {
      if (!leads() || this.signal.aborted) return;
      await eraseConversation(this.dependencies, conversation);
    }
    for (const { sourceId, cause } of this.conversations.strayDocuments(graceMs)) {
      if (!leads() || this.signal.aborted) return;
      await removeSource(this.dependencies, sourceId, cause);
    }
  }

  private async attempt(tenantId: string, erasure: OpenErasure): Promise<void> {
    const { clock, logger } = this.dependencies;
    try {
      const done = await eraseTenant(
        { ...this.dependencies, people: this.people },
        erasure.cause,
        this.signal,
      );
      if (done) return void this.open.delete(tenantId);
    } catch (error) {
      logger.warn(
        { err: error, tenant_id: tenantId },
        'An erasure could not go on and is tried again',
      );
    }
    erasure.tries += 1;
    erasure.nextAt = clock.monotonic() + backOffMs(TRIES, erasure.tries);
  }

  private async destroyKeysAgain(): Promise<void> {
    const { keyRing } = this.dependencies;
    for (const userId of this.people.gone) {
      this.unsure.add(personKeys(userId));
      this.people.gone.delete(userId);
    }
    for (const conversationId of this.conversations.deleted) {
      this.unsure.add(conversationKeys(conversationId));
      this.conversations.deleted.delete(conversationId);
    }
    let looks = KEYS_A_LOOK;
    for (const keys of this.unsure) {
      if ((looks -= 1) < 0) return;
      if ((await keyRing.standing(keys)) !== 'destroyed') await keyRing.destroy(keys);
      this.unsure.delete(keys);
    }
  }

  private take(delivery: SubscriptionDelivery): void {
    if (delivery.kind === 'caught-up') this.caughtUp = true;
    if (delivery.kind !== 'event') return;
    const read = upcast(delivery.event);
    if (read.kind !== 'known') return;
    this.people.apply(read.event);
    this.conversations.apply(read.event);
    const { type, id, metadata } = read.event;
    const tenantId = metadata.tenant_id;
    if (type === 'TenantErasureRequested') {
      const cause = { tenantId, correlationId: metadata.correlation_id, causationId: id };
      this.open.set(tenantId, { cause, tries: 0, nextAt: -Infinity });
    } else if (type === 'TenantErased') {
      this.open.delete(tenantId);
      this.erased.set(tenantId, {
        tenantId,
        correlationId: metadata.correlation_id,
        causationId: id,
      });
      this.unsure.add(tenantId);
    }
  }
}
