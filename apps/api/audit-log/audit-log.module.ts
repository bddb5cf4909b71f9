import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { AuditLogController } from './audit-log.controller.js';
import { ReadLogCheckpointHandler } from './read-log-checkpoint.js';
import { ReadLogTileHandler } from './read-log-tile.js';

/** `/audit/log` */
@Module({
  imports: [AuditModule, RecordedReadsModule],
  controllers: [AuditLogController],
  providers: [ReadLogCheckpointHandler, ReadLogTileHandler],
})
export class AuditLogModule {}
