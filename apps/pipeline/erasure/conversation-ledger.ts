import type { DomainEvent } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import type { Clock } from '#platform';

import type { Cause } from '../log/commands.js';

/** Event types that the ledger folds. */
export const CONVERSATION_TYPES = [
  'ConversationStarted',
  'ConversationDeleted',
  'SourceRegistered',
  'SourceRemoved',
  'MemberRemoved',
  'UserClosed',
  'TenantErasureRequested',
] as const satisfies readonly DomainEvent['type'][];

interface OpenConversation {
  readonly conversationId: string;
  readonly userId: string;
  /** Sources that are registered for it and not removed. */
  readonly documents: ReadonlySet<string>;
}

/** Conversation whose person has left. */
export interface LeftConversation extends OpenConversation {
  /** Event by which the person left. */
  readonly cause: Cause;
}

/** Document whose conversation is deleted. */
export interface StrayDocument {
  readonly sourceId: string;
  /** Later of the two events: deletion of the conversation, registration of the document. */
  readonly cause: Cause;
}

interface Seen {
  /** By the monotonic clock. */
  readonly seenAt: number;
}

/** Line of a snapshot. */
type ConversationLine =
  | readonly ['open', conversationId: string, userId: string, tenantId: string, string[]]
  | readonly ['gone', userId: string, Cause]
  | readonly ['stray', sourceId: string, Cause]
  | readonly ['erased', tenantId: string];

/**
 * Open conversations with their documents, folded from the log. Finds those that outlived their
 * person, and documents that outlived their conversation. Holds nothing of tenants whose erasure
 * was requested, since all of that is erased anyway.
 */
export class ConversationLedger {
  /** Conversations that were deleted since the set was last emptied. */
  readonly deleted = new Set<string>();
  private readonly open = new Map<
    string,
    OpenConversation & { readonly tenantId: string; documents: Set<string> }
  >();
  private readonly ofPerson = new Map<string, Set<string>>();
  private readonly conversationOf = new Map<string, string>();
  private readonly gone = new Map<string, Seen & { readonly cause: Cause }>();
  private readonly left = new Map<string, Seen & { readonly cause: Cause }>();
  private readonly strays = new Map<string, StrayDocument & Seen>();
  private readonly erased = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  apply(event: RecordedDomainEvent): void {
    const { metadata, id } = event;
    const { tenant_id: tenantId } = metadata;
    if (this.erased.has(tenantId)) return;
    const cause = { tenantId, correlationId: metadata.correlation_id, causationId: id };
    switch (event.type) {
      case 'ConversationStarted':
        return this.started(event.data.conversation_id, event.data.user_id, tenantId);
      case 'ConversationDeleted':
        return this.ended(event.data.conversation_id, cause);
      case 'SourceRegistered': {
        const { source_id, audience } = event.data;
        if (audience?.kind === 'conversation')
          this.registered(source_id, audience.conversation_id, cause);
        return;
      }
      case 'SourceRemoved':
        return this.removed(event.data.source_id);
      case 'MemberRemoved':
      case 'UserClosed':
        return this.leaves(event.data.user_id, cause);
      case 'TenantErasureRequested':
        return this.forget(tenantId);
      default:
        return;
    }
  }

  /** Returns the lines of a snapshot. People who left come after their conversations. */
  *save(): Generator<ConversationLine> {
    for (const { conversationId, userId, tenantId, documents } of this.open.values())
      yield ['open', conversationId, userId, tenantId, [...documents]];
    for (const [userId, { cause }] of this.gone) yield ['gone', userId, cause];
    for (const { sourceId, cause } of this.strays.values()) yield ['stray', sourceId, cause];
    for (const tenantId of this.erased) yield ['erased', tenantId];
  }

  /** Adds a line that {@link save} returned. */
  load(line: ConversationLine): void {
    switch (line[0]) {
      case 'open': {
        const [, conversationId, userId, tenantId, documents] = line;
        this.started(conversationId, userId, tenantId);
        for (const sourceId of documents) this.add(sourceId, conversationId);
        return;
      }
      case 'gone':
        return this.leaves(line[1], line[2]);
      case 'stray':
        return this.stray(line[1], line[2]);
      case 'erased':
        this.erased.add(line[1]);
        return;
    }
  }

  clear(): void {
    for (const kept of [this.open, this.ofPerson, this.conversationOf, this.gone, this.left])
      kept.clear();
    this.strays.clear();
    this.deleted.clear();
    this.erased.clear();
  }

  /** Returns the conversations whose person left at least `graceMs` ago. */
  leftBehind(graceMs: number): LeftConversation[] {
    return due(this.left, this.clock.monotonic() - graceMs).flatMap(
      ([conversationId, { cause }]) => {
        const conversation = this.open.get(conversationId);
        return conversation ? [{ ...conversation, cause }] : [];
      },
    );
  }

  /**
   * Returns the documents that have been stray for `graceMs`: before that, the request that deletes
   * the conversation removes its documents itself.
   */
  strayDocuments(graceMs: number): StrayDocument[] {
    return due(this.strays, this.clock.monotonic() - graceMs).map(([, stray]) => stray);
  }

  private started(conversationId: string, userId: string, tenantId: string): void {
    if (this.open.has(conversationId)) return;
    this.open.set(conversationId, { conversationId, userId, tenantId, documents: new Set() });
    const own = this.ofPerson.get(userId) ?? new Set();
    this.ofPerson.set(userId, own.add(conversationId));
    const gone = this.gone.get(userId);
    if (gone) this.left.set(conversationId, gone);
  }

  private ended(conversationId: string, cause: Cause): void {
    this.deleted.add(conversationId);
    const conversation = this.open.get(conversationId);
    if (!conversation) return;
    this.drop(conversation);
    for (const sourceId of conversation.documents) this.stray(sourceId, cause);
  }

  private registered(sourceId: string, conversationId: string, cause: Cause): void {
    if (this.open.has(conversationId)) this.add(sourceId, conversationId);
    else this.stray(sourceId, cause);
  }

  private add(sourceId: string, conversationId: string): void {
    this.open.get(conversationId)?.documents.add(sourceId);
    this.conversationOf.set(sourceId, conversationId);
  }

  private removed(sourceId: string): void {
    this.strays.delete(sourceId);
    this.open.get(this.conversationOf.get(sourceId) ?? '')?.documents.delete(sourceId);
    this.conversationOf.delete(sourceId);
  }

  /** Two events report that a person leaves; the first counts. */
  private leaves(userId: string, cause: Cause): void {
    if (this.gone.has(userId)) return;
    const leaving = { cause, seenAt: this.clock.monotonic() };
    this.gone.set(userId, leaving);
    for (const conversationId of this.ofPerson.get(userId) ?? [])
      this.left.set(conversationId, leaving);
  }

  private forget(tenantId: string): void {
    this.erased.add(tenantId);
    for (const conversation of this.open.values()) {
      if (conversation.tenantId !== tenantId) continue;
      this.drop(conversation);
      for (const sourceId of conversation.documents) this.conversationOf.delete(sourceId);
    }
    for (const [sourceId, { cause }] of this.strays)
      if (cause.tenantId === tenantId) this.strays.delete(sourceId);
  }

  private stray(sourceId: string, cause: Cause): void {
    this.strays.set(sourceId, { sourceId, cause, seenAt: this.clock.monotonic() });
    this.conversationOf.delete(sourceId);
  }

  private drop({ conversationId, userId }: OpenConversation): void {
    this.open.delete(conversationId);
    this.left.delete(conversationId);
    const own = this.ofPerson.get(userId);
    own?.delete(conversationId);
    if (own?.size === 0) this.ofPerson.delete(userId);
  }
}

function due<Value extends Seen>(
  all: ReadonlyMap<string, Value>,
  until: number,
): [string, Value][] {
  return [...all].filter(([, { seenAt }]) => seenAt <= until);
}
