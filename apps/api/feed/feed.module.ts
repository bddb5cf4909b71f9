import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { RecordedReadsModule } from '../recorded-reads/recorded-reads.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { WriteModule } from '../write/write.module.js';
import { FeedController } from './feed.controller.js';
import { FeedActivity } from './feed-activity.js';
import { FeedPages } from './feed-pages.js';
import { FeedStream } from './feed-stream.js';
import { ListFeedEventsHandler } from './list-feed-events.js';

/** `/events` */
@Module({
  imports: [AuditModule, RecordedReadsModule, StreamsModule, WriteModule],
  controllers: [FeedController],
  providers: [FeedActivity, FeedPages, FeedStream, ListFeedEventsHandler],
})
export class FeedModule {}
