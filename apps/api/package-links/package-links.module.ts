import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { KnownLinks } from './known-links.js';

/** Links of tenants to packages, in memory. */
@Module({ imports: [InMemoryModule], providers: [KnownLinks], exports: [KnownLinks] })
export class KnownLinksModule {}
