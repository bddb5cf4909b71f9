import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { QuotaLedgerModule } from '../quota/quota.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { WriteModule } from '../write/write.module.js';
import { CancelRoverJobHandler } from './cancel-rover-job.js';
import { CitedRepositories } from './cited-repositories.js';
import { CreateRoverJobHandler } from './create-rover-job.js';
import { GetRoverJobHandler } from './get-rover-job.js';
import { ListRoverJobsHandler } from './list-rover-jobs.js';
import { RoverController } from './rover.controller.js';
import { RoverActivity } from './rover-activity.js';
import { RoverJobs } from './rover-jobs.js';
import { RoverStream } from './rover-stream.js';
import { VerifyRoverJobHandler } from './verify-rover-job.js';

/** `/rover/jobs` */
@Module({
  imports: [InMemoryModule, QuotaLedgerModule, StreamsModule, WriteModule],
  controllers: [RoverController],
  providers: [
    RoverActivity,
    RoverJobs,
    RoverStream,
    CreateRoverJobHandler,
    ListRoverJobsHandler,
    GetRoverJobHandler,
    CancelRoverJobHandler,
    CitedRepositories,
    VerifyRoverJobHandler,
  ],
  exports: [RoverJobs],
})
export class RoverModule {}
