import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { HistoryModule } from '../history/history.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { WriteModule } from '../write/write.module.js';
import { IssueKeyHandler } from './issue-key.js';
import { KeysController } from './keys.controller.js';
import { ListKeysHandler } from './list-keys.js';
import { RevokeKeyHandler } from './revoke-key.js';

/** `/keys` */
@Module({
  imports: [AuthModule, HistoryModule, RecordedReadsModule, WriteModule],
  controllers: [KeysController],
  providers: [IssueKeyHandler, ListKeysHandler, RevokeKeyHandler],
})
export class KeysModule {}
