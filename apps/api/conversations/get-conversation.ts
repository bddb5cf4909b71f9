import { Query, type IQueryHandler } from '@nestjs/cqrs';

import type { ConversationDetailView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationViews } from './conversation-views.js';
import { Conversations } from './conversations.js';

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
  ) {}

  /** @throws FootnoteError `conversation_not_found`. */
  async execute({ caller, conversationId }: GetConversation): Promise<ConversationDetailView> {
    const conversation = await this.conversations.read(caller, conversationId);
    const view = await this.views.of(caller, conversation);
    return { ...view, messages: await this.views.messages(caller, conversation) };
  }
}
