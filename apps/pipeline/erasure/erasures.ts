import type { RecordedDomainEvent } from '#event-store';
import { backOffMs, conversationKeys, type Logger, personKeys } from '#platform';

import type { Cause } from '../log/commands.js';
import { HeldTenants, HOLD_TYPES } from '../log/held-tenants.js';
import type { Reactor, ReactorRun, ReactorState } from '../reactor/reactor.types.js';
import { CONVERSATION_TYPES, ConversationLedger } from './conversation-ledger.js';
import { eraseConversation } from './erase-conversation.js';
import { erasePerson } from './erase-person.js';
import { eraseTenant, type EraseTenantDependencies, removeSources } from './erase-tenant.js';
import { ErasedKeys } from './erased-keys.js';
import { PEOPLE_TYPES, PeopleLedger } from './people-ledger.js';
import { removeSource } from './remove-source.js';

export interface ErasuresDependencies extends Omit<EraseTenantDependencies, 'people'> {
  readonly logger: Logger;
  /** Time that the writer of a first append has for its second, milliseconds. */
  readonly graceMs: number;
}

/** Pause between two attempts at one erasure. */
const RETRIES = { firstMs: 1_000, longestMs: 60_000 };

interface OpenErasure {
  readonly cause: Cause;
  attempts: number;
  /** Time of the next attempt, by the monotonic clock. */
  nextAt: number;
}

/** Line of a snapshot. */
type ErasuresLine =
  | readonly ['person', Parameters<PeopleLedger['load']>[0]]
  | readonly ['conversation', Parameters<ConversationLedger['load']>[0]]
  | readonly ['key', string]
  | readonly ['held', string]
  | readonly ['kept', readonly [key: string, tenantId: string]]
  | readonly ['open' | 'erased', Cause];

/**
 * Carries out the erasures that the log requests, of tenants and of people with their
 * conversations, with retries until they succeed. An erasure is permanent. A destroyed key is
 * destroyed again if an older key ring was restored. A source that a process registered without
 * knowledge of the erasure is removed. Keys of people who left a tenant under legal hold, and their
 * conversations, stay until the hold is released.
 */
export class Erasures implements Reactor {
  readonly name = 'erasures';
  readonly eventTypes = [
    ...new Set(['TenantErased' as const, ...PEOPLE_TYPES, ...CONVERSATION_TYPES, ...HOLD_TYPES]),
  ];
  readonly intervalMs = 500;
  readonly state: ReactorState = {
    version: 1,
    save: () => this.save(),
    load: (line) => this.load(line as ErasuresLine),
    clear: () => this.clear(),
  };
  private readonly open = new Map<string, OpenErasure>();
  private readonly erased = new Map<string, Cause>();
  private readonly people: PeopleLedger;
  private readonly conversations: ConversationLedger;
  private readonly keys: ErasedKeys;
  private readonly held = new HeldTenants();
  /** Keys of people who left a tenant under legal hold, with the tenant. */
  private readonly kept = new Map<string, string>();

  constructor(private readonly dependencies: ErasuresDependencies) {
    this.people = new PeopleLedger(dependencies.clock);
    this.conversations = new ConversationLedger(dependencies.clock);
    this.keys = new ErasedKeys(dependencies.keyRing);
  }

  apply(event: RecordedDomainEvent): boolean {
    this.people.apply(event);
    this.conversations.apply(event);
    const released = this.held.apply(event);
    if (released !== null) this.releaseKeys(released);
    this.takeKeys();
    const { type, id, metadata } = event;
    const tenantId = metadata.tenant_id;
    const cause = { tenantId, correlationId: metadata.correlation_id, causationId: id };
    if (type === 'TenantErasureRequested') this.request(cause);
    if (type === 'TenantErased') this.completed(cause);
    return false;
  }

  /** Does what is due. An error leaves the rest to the next run. */
  async run({ signal }: Pick<ReactorRun, 'signal'>): Promise<void> {
    const { clock, graceMs } = this.dependencies;
    await this.keys.destroyAgain();
    for (const [tenantId, erasure] of this.open) {
      if (signal.aborted) return;
      if (erasure.nextAt > clock.monotonic()) continue;
      await this.attempt(tenantId, erasure, signal);
    }
    for (const cause of this.erased.values()) {
      if (signal.aborted) return;
      await removeSources(this.dependencies, cause);
    }
    for (const person of this.people.due((id) => this.erased.has(id), graceMs)) {
      if (signal.aborted) return;
      if (this.held.has(person.cause.tenantId)) continue;
      await erasePerson(this.dependencies, person);
    }
    await this.eraseConversations(signal);
  }

  /** Erases conversations and uploads of people who left, and documents without conversation. */
  private async eraseConversations(signal: AbortSignal): Promise<void> {
    const { graceMs } = this.dependencies;
    for (const conversation of this.conversations.leftBehind(graceMs)) {
      if (signal.aborted) return;
      if (this.held.has(conversation.cause.tenantId)) continue;
      await eraseConversation(this.dependencies, conversation);
    }
    for (const { sourceId, cause } of this.conversations.strayDocuments(graceMs)) {
      if (signal.aborted) return;
      if (this.held.has(cause.tenantId)) continue;
      await removeSource(this.dependencies, sourceId, cause);
    }
  }

  private async attempt(
    tenantId: string,
    erasure: OpenErasure,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.dependencies;
    const dependencies = { ...this.dependencies, people: this.people };
    try {
      const done = await eraseTenant(dependencies, erasure.cause, signal);
      if (done) return void this.open.delete(tenantId);
    } catch (error) {
      logger.warn(
        { err: error, tenant_id: tenantId },
        'reactor erasures: an erasure could not continue; retrying',
      );
    }
    erasure.attempts += 1;
    erasure.nextAt = clock.monotonic() + backOffMs(RETRIES, erasure.attempts);
  }

  private request(cause: Cause): void {
    this.open.set(cause.tenantId, { cause, attempts: 0, nextAt: -Infinity });
  }

  private completed(cause: Cause): void {
    this.open.delete(cause.tenantId);
    this.erased.set(cause.tenantId, cause);
    this.keys.add(cause.tenantId);
  }

  private takeKeys(): void {
    const { gone } = this.people;
    const { deleted } = this.conversations;
    for (const [userId, tenantId] of gone) {
      if (this.held.has(tenantId)) this.kept.set(personKeys(userId), tenantId);
      else this.keys.add(personKeys(userId));
    }
    for (const conversationId of deleted) this.keys.add(conversationKeys(conversationId));
    gone.clear();
    deleted.clear();
  }

  private releaseKeys(released: string): void {
    for (const [key, tenantId] of this.kept) {
      if (tenantId !== released) continue;
      this.kept.delete(key);
      this.keys.add(key);
    }
  }

  private *save(): Generator<ErasuresLine> {
    for (const line of this.people.save()) yield ['person', line];
    for (const line of this.conversations.save()) yield ['conversation', line];
    for (const name of this.keys.names) yield ['key', name];
    for (const tenantId of this.held.save()) yield ['held', tenantId];
    for (const kept of this.kept) yield ['kept', kept];
    for (const { cause } of this.open.values()) yield ['open', cause];
    for (const cause of this.erased.values()) yield ['erased', cause];
  }

  private load([kind, value]: ErasuresLine): void {
    if (kind === 'person') this.people.load(value);
    else if (kind === 'conversation') this.conversations.load(value);
    else if (kind === 'key') this.keys.add(value);
    else if (kind === 'held') this.held.load(value);
    else if (kind === 'kept') this.kept.set(...value);
    else if (kind === 'open') this.request(value);
    else this.erased.set(value.tenantId, value);
  }

  private clear(): void {
    this.people.clear();
    this.conversations.clear();
    this.keys.clear();
    this.held.clear();
    this.kept.clear();
    this.open.clear();
    this.erased.clear();
  }
}
