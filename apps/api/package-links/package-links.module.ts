import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { KnownLinks } from './known-links.js';

/** Who links which package, in memory, for whoever asks what a tenant sees. */
@Module({ imports: [InMemoryModule], providers: [KnownLinks], exports: [KnownLinks] })
export class KnownLinksModule {}
