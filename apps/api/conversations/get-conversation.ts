import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ConversationDetailView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationViews } from './conversation-views.js';
import { Conversations } from './conversations.js';
import { ConversationDocuments } from './documents/conversation-documents.js';

export class GetConversation extends Query<ConversationDetailView> {
  constructor(
    readonly caller: Caller,
    readonly conversationId: string,
  ) {
    super();
  }
}

@Handles(GetConversation)
export class GetConversationHandler implements IQueryHandler<GetConversation> {
  constructor(
    private readonly conversations: Conversations,
    private readonly views: ConversationViews,
    private readonly documents: ConversationDocuments,
  ) {}

  /** @throws FootnoteError `conversation_not_found`. */
  async execute({ caller, conversationId }: GetConversation): Promise<ConversationDetailView> {
    const conversation = await this.conversations.read(caller, conversationId);
    const view = await this.views.of(caller, conversation);
    const messages = await this.views.messages(caller, conversation);
    const documents = await this.documents.list(
      caller,
      conversationId,
      conversation.state.document_ids,
    );
    return { ...view, messages, documents };
  }
}
