import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { AuditExportController } from './audit-export.controller.js';
import { ExportConcurrency } from './export-concurrency.js';
import { ExportStream } from './export-stream.js';
import { ExportTrailHandler } from './export-trail.js';
import { TrailContent } from './trail-content.js';
import { TrailPages } from './trail-pages.js';

/** `/audit/export` */
@Module({
  imports: [AuditModule, AuthModule, LifecycleModule, RecordedReadsModule],
  controllers: [AuditExportController],
  providers: [ExportConcurrency, ExportStream, ExportTrailHandler, TrailContent, TrailPages],
})
export class AuditExportModule {}
