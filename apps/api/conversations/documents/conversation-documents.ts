import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { isFootnoteError, type Audience } from '#contracts';

import type { Caller } from '../../auth/caller.js';
import { RemoveSource } from '../../sources/remove-source.js';

/** Documents of conversations are sources like any other, which no search and no list shows. */
@Injectable()
export class ConversationDocuments {
  constructor(private readonly commands: CommandBus) {}

  /** Removes documents with everything indexed of them; one that is not there, or is gone already, is passed over. */
  async remove(caller: Caller, conversationId: string, documentIds: readonly string[]): Promise<void> {
    const unkeyed = { ...caller, idempotencyKey: undefined };
    for (const id of documentIds) {
      try {
        await this.commands.execute(new RemoveSource(unkeyed, id, audienceOf(conversationId)));
      } catch (error) {
        if (!isFootnoteError(error, 'source_not_found')) throw error;
      }
    }
  }
}

/** Who sees the documents of a conversation. */
export function audienceOf(conversationId: string): Audience {
  return { kind: 'conversation', conversation_id: conversationId };
}
