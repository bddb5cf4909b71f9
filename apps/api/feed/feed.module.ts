import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { WriteModule } from '../write/write.module.js';
import { FeedController } from './feed.controller.js';
import { ListFeedEventsHandler } from './list-feed-events.js';

/** `/events` */
@Module({
  imports: [AuditModule, WriteModule],
  controllers: [FeedController],
  providers: [ListFeedEventsHandler],
})
export class FeedModule {}
