import { Injectable } from '@nestjs/common';

import type { ConversationMessageView, ConversationView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { ERASED } from '../people/accounts/personal-text.js';
import { Conversations, type ReadConversation } from './conversations.js';

/** Conversations as their person sees them, their words opened. */
@Injectable()
export class ConversationViews {
  constructor(private readonly conversations: Conversations) {}

  async of(caller: Caller, conversation: ReadConversation): Promise<ConversationView> {
    const { state, sealer, createdAt, updatedAt } = conversation;
    const { conversation_id: id, title } = state;
    const opened = await this.conversations.openTitle(caller.tenantId, id, sealer, title);
    return {
      id,
      title: title === null ? null : (opened ?? ERASED),
      created_at: createdAt,
      updated_at: updatedAt,
    };
  }

  /** Question and answer of every turn, oldest first. */
  async messages(
    caller: Caller,
    conversation: ReadConversation,
  ): Promise<ConversationMessageView[]> {
    const messages: ConversationMessageView[] = [];
    for (const turn of conversation.turns) {
      const text = await this.conversations.textOf(caller, conversation, turn);
      const { at: created_at, receiptId: receipt_id } = turn;
      messages.push(
        { role: 'user', content: text?.question ?? ERASED, created_at },
        {
          role: 'assistant',
          content: text?.answer ?? ERASED,
          created_at,
          citations: [...(text?.citations ?? [])],
          receipt_id,
        },
      );
    }
    return messages;
  }
}
