import { Module } from '@nestjs/common';

import { AnswersModule } from '../chat/answers.module.js';
import { CodeNavigationModule } from '../code-navigation/code-navigation.module.js';
import { CodeSearchModule } from '../code-search/code-search.module.js';
import { ConversationKeysModule } from '../conversations/conversation-keys.module.js';
import { HistoryModule } from '../history/history.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { RoverModule } from '../rover/rover.module.js';
import { SearchModule } from '../search/search.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { GetReceiptHandler } from './get-receipt.js';
import { ReceiptsController } from './receipts.controller.js';
import { ReplaySearchHandler } from './replay-search.js';
import { Replays } from './replays.js';
import { RoverReceipts } from './rover-receipts.js';
import { StoredReceipts } from './stored-receipts.js';

/** `/receipts`: reads what searches left, and answers them again. */
@Module({
  imports: [
    AnswersModule,
    CodeNavigationModule,
    CodeSearchModule,
    ConversationKeysModule,
    HistoryModule,
    SearchModule,
    LiveSourcesModule,
    RecordedReadsModule,
    RoverModule,
    WriteModule,
  ],
  controllers: [ReceiptsController],
  providers: [StoredReceipts, RoverReceipts, Replays, GetReceiptHandler, ReplaySearchHandler],
  exports: [Replays, StoredReceipts],
})
export class ReceiptsModule {}
