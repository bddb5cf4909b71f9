import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { HistoryModule } from '../history/history.module.js';
import { WriteModule } from '../write/write.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { GetJobCountsHandler } from './get-job-counts.js';
import { GetNoEvidenceHandler, GetSearchesHandler } from './get-searches.js';
import { GetStaleHitsHandler } from './get-stale-hits.js';
import { GetUsageHandler } from './get-usage.js';
import { TrailEvents } from './trail-events.js';

/** `/analytics` */
@Module({
  imports: [AuditModule, HistoryModule, WriteModule],
  controllers: [AnalyticsController],
  providers: [
    TrailEvents,
    GetSearchesHandler,
    GetNoEvidenceHandler,
    GetStaleHitsHandler,
    GetUsageHandler,
    GetJobCountsHandler,
  ],
})
export class AnalyticsModule {}
