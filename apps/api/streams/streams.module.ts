import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { EventStreamResponse } from './event-stream-response.js';
import { StreamConcurrency } from './stream-concurrency.js';

/** Shared parts of all streamed answers of the process. */
@Module({
  imports: [AuthModule, LifecycleModule],
  providers: [EventStreamResponse, StreamConcurrency],
  exports: [EventStreamResponse, StreamConcurrency],
})
export class StreamsModule {}
