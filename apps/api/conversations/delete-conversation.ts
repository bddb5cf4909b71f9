import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { ConversationKeys } from './conversation-keys.js';
import { Conversations } from './conversations.js';

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
 * The key first, the event last: should this process die in between, the conversation is still there to be deleted again, and
 * nobody believes it gone whose words are not.
 */
@Handles(DeleteConversation)
export class DeleteConversationHandler implements ICommandHandler<DeleteConversation> {
  constructor(
    private readonly conversations: Conversations,
    private readonly keys: ConversationKeys,
  ) {}

  /** @throws FootnoteError `conversation_not_found`. */
  async execute({ caller, conversationId: id }: DeleteConversation): Promise<void> {
    const { state } = await this.conversations.read(caller, id);
    await this.keys.destroy(id);
    await this.conversations.change(caller, id, { type: 'DeleteConversation', data: { user_id: state.user_id } });
  }
}
