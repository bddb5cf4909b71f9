import { Module } from '@nestjs/common';

import { WriteModule } from '../write/write.module.js';
import { ConversationKeysModule } from './conversation-keys.module.js';
import { ConversationViews } from './conversation-views.js';
import { Conversations } from './conversations.js';
import { ConversationsController } from './conversations.controller.js';
import { DeleteConversationHandler } from './delete-conversation.js';
import { GetConversationHandler } from './get-conversation.js';
import { ListConversationsHandler } from './list-conversations.js';
import { RenameConversationHandler } from './rename-conversation.js';
import { StartConversationHandler } from './start-conversation.js';

/** `/conversations`: what one person asks and is answered. */
@Module({
  imports: [ConversationKeysModule, WriteModule],
  controllers: [ConversationsController],
  providers: [
    Conversations,
    ConversationViews,
    StartConversationHandler,
    ListConversationsHandler,
    GetConversationHandler,
    RenameConversationHandler,
    DeleteConversationHandler,
  ],
  exports: [Conversations],
})
export class ConversationsModule {}
