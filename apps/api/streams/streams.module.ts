import { Module } from '@nestjs/common';

import { StreamSlots } from './stream-slots.js';

/** What all streamed answers of the process share. */
@Module({ providers: [StreamSlots], exports: [StreamSlots] })
export class StreamsModule {}
