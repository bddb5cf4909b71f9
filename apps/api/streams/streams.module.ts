import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { EventStreamResponse } from './event-stream-response.js';
import { StreamSlots } from './stream-slots.js';

/** Shared parts of all streamed answers of the process. */
@Module({
  imports: [AuthModule, LifecycleModule],
  providers: [EventStreamResponse, StreamSlots],
  exports: [EventStreamResponse],
})
export class StreamsModule {}
