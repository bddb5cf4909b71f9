import { Module } from '@nestjs/common';

import { ConversationKeysModule } from '../conversations/conversation-keys.module.js';
import { WriteModule } from '../write/write.module.js';
import { AnswerStore } from './answer/answer-store.js';

/** Stored answers, for chat and for receipts. */
@Module({
  imports: [ConversationKeysModule, WriteModule],
  providers: [AnswerStore],
  exports: [AnswerStore],
})
export class AnswersModule {}
