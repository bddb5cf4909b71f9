import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { HistoryModule } from '../history/history.module.js';
import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { KnownLinksModule } from '../package-links/package-links.module.js';
import { TenantTotalsModule } from '../quota/quota.module.js';
import { WriteModule } from '../write/write.module.js';
import { SyncAcceptance } from './accept-sync.js';
import { ContentGaps } from './content-gaps.js';
import { DiffSourceHandler } from './diff-source.js';
import { GetSourceHandler } from './get-source.js';
import { KeptGenerations } from './kept-generations.js';
import { LastJobs } from './last-job.js';
import { ListSourcesHandler } from './list-sources.js';
import { LiveSources } from './live-sources.js';
import { RefinedShares } from './refined-shares.js';
import { RegisterSourceHandler } from './register-source.js';
import { RemoveSourceHandler } from './remove-source.js';
import { RequestSyncHandler } from './request-sync.js';
import { GetSourceContentHandler } from './source-content.js';
import { SourceCredentials } from './source-credentials.js';
import { GetSourceHistoryHandler } from './source-history.js';
import { SourceRegistrations } from './source-registrations.js';
import { SourcesController } from './sources.controller.js';
import { UpdateSourceHandler } from './update-source.js';
import { UploadSourceHandler } from './upload-source.js';

/** Provides the live sources, and those of them with missing content, from memory. */
@Module({
  imports: [InMemoryModule],
  providers: [LiveSources, ContentGaps],
  exports: [LiveSources, ContentGaps],
})
export class LiveSourcesModule {}

/** `/sources` */
@Module({
  imports: [
    AuditModule,
    AuthModule,
    HistoryModule,
    KnownLinksModule,
    LiveSourcesModule,
    TenantTotalsModule,
    WriteModule,
  ],
  controllers: [SourcesController],
  providers: [
    KeptGenerations,
    LastJobs,
    RefinedShares,
    SourceCredentials,
    SourceRegistrations,
    SyncAcceptance,
    RegisterSourceHandler,
    ListSourcesHandler,
    GetSourceHandler,
    GetSourceHistoryHandler,
    DiffSourceHandler,
    UpdateSourceHandler,
    UploadSourceHandler,
    RemoveSourceHandler,
    RequestSyncHandler,
    GetSourceContentHandler,
  ],
  exports: [KeptGenerations, LastJobs, SyncAcceptance],
})
export class SourcesModule {}
