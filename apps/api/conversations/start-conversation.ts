import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { ConversationView, CreateConversationBody } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { signedIn } from '../people/signed-in.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { ConversationKeys } from './conversation-keys.js';
import { ConversationViews } from './conversation-views.js';
import { Conversations } from './conversations.js';

/** Begins a conversation of the signed-in person. */
export class StartConversation extends Command<ConversationView> {
  constructor(
    readonly caller: Caller,
    readonly body: CreateConversationBody,
  ) {
    super();
  }
}

@Handles(StartConversation)
export class StartConversationHandler implements ICommandHandler<StartConversation> {
  constructor(
    private readonly conversations: Conversations,
    private readonly identities: CommandIdentities,
    private readonly keys: ConversationKeys,
    private readonly views: ConversationViews,
  ) {}

  async execute({ caller, body }: StartConversation): Promise<ConversationView> {
    const { userId } = signedIn(caller);
    const { tenantId } = caller;
    // Two people with the same Idempotency-Key each have their own conversation.
    const identity = await this.identities.of(caller, { ...body, user_id: userId });
    const id = identity.newId('conversation');
    const { key, sealer } = await this.keys.make({ tenantId, userId, conversationId: id });
    const title =
      body.title === undefined
        ? null
        : await this.conversations.sealTitle(tenantId, id, sealer, body.title);
    const data = { conversation_id: id, user_id: userId, key, title };
    await this.conversations.change(caller, id, { type: 'StartConversation', data }, identity);
    return this.views.of(caller, await this.conversations.read(caller, id));
  }
}
