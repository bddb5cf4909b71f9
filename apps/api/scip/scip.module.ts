import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { LiveSourcesModule, SourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { KnownScipUploads } from './known-scip-uploads.js';
import { ListScipHandler } from './list-scip.js';
import { RemoveScipHandler } from './remove-scip.js';
import { ScipController } from './scip.controller.js';
import { ScipConcurrency } from './scip-concurrency.js';
import { ScipTables } from './scip-tables.js';
import { UploadScipHandler } from './upload-scip.js';

/** `/sources/{source_id}/scip`, and the tables of occurrences for navigation. */
@Module({
  imports: [AuthModule, InMemoryModule, LiveSourcesModule, SourcesModule, WriteModule],
  controllers: [ScipController],
  providers: [
    KnownScipUploads,
    ListScipHandler,
    RemoveScipHandler,
    ScipConcurrency,
    ScipTables,
    UploadScipHandler,
  ],
  exports: [ScipTables],
})
export class ScipModule {}
