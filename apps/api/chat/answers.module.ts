import { Module } from '@nestjs/common';

import { ConversationKeysModule } from '../conversations/conversation-keys.module.js';
import { WriteModule } from '../write/write.module.js';
import { AnswerStore } from './answer/answer-store.js';

/** What was answered, for who answers and for who shows what an answer stood on. */
@Module({
  imports: [ConversationKeysModule, WriteModule],
  providers: [AnswerStore],
  exports: [AnswerStore],
})
export class AnswersModule {}
