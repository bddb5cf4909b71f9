import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { KnownLinksModule } from '../package-links/package-links.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { WriteModule } from '../write/write.module.js';
import { CancelJobHandler } from './cancel-job.js';
import { GetJobHandler } from './get-job.js';
import { JobActivity } from './job-activity.js';
import { JobStream } from './job-stream.js';
import { JobVisibility } from './job-visibility.js';
import { JobWait } from './job-wait.js';
import { JobsController } from './jobs.controller.js';
import { ListJobsHandler } from './list-jobs.js';
import { UnprojectedJob } from './unprojected-job.js';

/** `/jobs` */
@Module({
  imports: [
    InMemoryModule,
    KnownLinksModule,
    LifecycleModule,
    LiveSourcesModule,
    StreamsModule,
    WriteModule,
  ],
  controllers: [JobsController],
  exports: [JobWait],
  providers: [
    JobActivity,
    JobVisibility,
    JobStream,
    JobWait,
    UnprojectedJob,
    ListJobsHandler,
    GetJobHandler,
    CancelJobHandler,
  ],
})
export class JobsModule {}
