import { Module } from '@nestjs/common';

import { ConversationsModule } from '../conversations/conversations.module.js';
import { KnownLinksModule } from '../package-links/package-links.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { QuotaLedgerModule } from '../quota/quota.module.js';
import { SearchModule } from '../search/search.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { ChatTurns } from './answer/chat-turns.js';
import { MentionedPackages } from './answer/mentioned-packages.js';
import { AnswersModule } from './answers.module.js';
import { AskHandler } from './ask.js';
import { ChatController } from './chat.controller.js';
import { ChatStream } from './chat-stream.js';
import { ConversationTurns } from './conversation/conversation-turns.js';
import { QuestionRewriter } from './conversation/question-rewriter.js';
import { TurnOrder } from './conversation/turn-order.js';

/** `/chat`: answers in words. */
@Module({
  imports: [
    AnswersModule,
    ConversationsModule,
    KnownLinksModule,
    PackagesModule,
    QuotaLedgerModule,
    SearchModule,
    StreamsModule,
  ],
  controllers: [ChatController],
  providers: [
    ChatTurns,
    MentionedPackages,
    TurnOrder,
    QuestionRewriter,
    ConversationTurns,
    AskHandler,
    ChatStream,
  ],
})
export class ChatModule {}
