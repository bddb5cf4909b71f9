import { Module } from '@nestjs/common';

import { InMemoryProjections } from './in-memory-projections.js';

/** State that requests read without asking an engine. */
@Module({ providers: [InMemoryProjections], exports: [InMemoryProjections] })
export class InMemoryModule {}
