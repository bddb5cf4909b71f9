import { Module } from '@nestjs/common';

import { AnswersModule } from '../chat/answers.module.js';
import { ConversationKeysModule } from '../conversations/conversation-keys.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { SearchModule } from '../search/search.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { GetReceiptHandler } from './get-receipt.js';
import { PastMoments } from './past-moments.js';
import { ReceiptsController } from './receipts.controller.js';
import { ReplaySearchHandler } from './replay-search.js';
import { StoredReceipts } from './stored-receipts.js';

/** `/receipts`: reads what searches left, and answers them again. */
@Module({
  imports: [
    AnswersModule,
    ConversationKeysModule,
    SearchModule,
    LiveSourcesModule,
    RecordedReadsModule,
    WriteModule,
  ],
  controllers: [ReceiptsController],
  providers: [StoredReceipts, PastMoments, GetReceiptHandler, ReplaySearchHandler],
  exports: [PastMoments],
})
export class ReceiptsModule {}
