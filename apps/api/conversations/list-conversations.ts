import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { ConversationList, ConversationView, PageQuery } from '#contracts/http/index';
import { type ConversationsRow, listConversations } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { ERASED } from '../people/accounts/personal-text.js';
import { signedIn } from '../people/signed-in.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationKeys } from './conversation-keys.js';
import { Conversations } from './conversations.js';

export class ListConversations extends Query<ConversationList> {
  constructor(
    readonly caller: Caller,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@Handles(ListConversations)
export class ListConversationsHandler implements IQueryHandler<ListConversations> {
  constructor(
    private readonly conversations: Conversations,
    private readonly keys: ConversationKeys,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  async execute({ caller, page: { skip, limit } }: ListConversations): Promise<ConversationList> {
    const { userId } = signedIn(caller);
    const { tenantId } = caller;
    const found = await this.readModel.ask(listConversations, tenantId, { userId, skip, limit });
    const conversations: ConversationView[] = [];
    for (const row of found.conversations)
      conversations.push(await this.view(tenantId, userId, row));
    return { conversations, total: found.total };
  }

  private async view(
    tenantId: string,
    userId: string,
    { conversation_id: id, key, title, created_at, updated_at }: ConversationsRow,
  ): Promise<ConversationView> {
    if (title === null) return { id, title, created_at, updated_at };
    const sealer = await this.keys.sealer({ tenantId, userId, conversationId: id }, key);
    const opened = await this.conversations.openTitle(tenantId, id, sealer, title);
    return { id, title: opened ?? ERASED, created_at, updated_at };
  }
}
