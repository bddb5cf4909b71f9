import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { ConversationView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationViews } from './conversation-views.js';
import { Conversations } from './conversations.js';

export class RenameConversation extends Command<ConversationView> {
  constructor(
    readonly caller: Caller,
    readonly conversationId: string,
    readonly title: string,
  ) {
    super();
  }
}

@Handles(RenameConversation)
export class RenameConversationHandler implements ICommandHandler<RenameConversation> {
  constructor(
    private readonly conversations: Conversations,
    private readonly views: ConversationViews,
  ) {}

  /** @throws FootnoteError `conversation_not_found`. */
  async execute({
    caller,
    conversationId: id,
    title,
  }: RenameConversation): Promise<ConversationView> {
    const { state, sealer } = await this.conversations.read(caller, id);
    const sealed = await this.conversations.sealTitle(caller.tenantId, id, sealer, title);
    const data = { user_id: state.user_id, title: sealed };
    await this.conversations.change(caller, id, { type: 'RenameConversation', data });
    return this.views.of(caller, await this.conversations.read(caller, id));
  }
}
