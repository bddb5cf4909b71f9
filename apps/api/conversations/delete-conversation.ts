import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { EVENT_STORE, type EventStore } from '#event-store';

import type { Caller } from '../auth/caller.js';
import { refuseUnderHold } from '../legal-hold/refuse-under-hold.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationKeys } from './conversation-keys.js';
import { Conversations } from './conversations.js';
import { ConversationDocuments } from './documents/conversation-documents.js';

/** Deletes a conversation: no word of it can be read any more, in the log neither. */
export class DeleteConversation extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly conversationId: string,
  ) {
    super();
  }
}

/**
 * Deletes the key first, then the documents, and appends the event last. If this process dies in
 * between, the conversation can still be deleted again, and it does not appear deleted while its
 * words remain.
 */
@Handles(DeleteConversation)
export class DeleteConversationHandler implements ICommandHandler<DeleteConversation> {
  constructor(
    private readonly conversations: Conversations,
    private readonly keys: ConversationKeys,
    private readonly documents: ConversationDocuments,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws FootnoteError `conversation_not_found`; `legal_hold`. */
  async execute({ caller, conversationId: id }: DeleteConversation): Promise<void> {
    const { state } = await this.conversations.read(caller, id);
    await refuseUnderHold(this.store, caller.tenantId);
    await this.keys.destroy(id);
    await this.documents.remove(caller, id, state.document_ids);
    const data = { user_id: state.user_id };
    const deleted = await this.conversations.change(caller, id, {
      type: 'DeleteConversation',
      data,
    });
    const late =
      deleted.state.status === 'deleted'
        ? deleted.state.document_ids.slice(state.document_ids.length)
        : [];
    await this.documents.remove(caller, id, late);
  }
}
