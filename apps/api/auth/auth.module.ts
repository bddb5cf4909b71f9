import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { KnownApiKeys } from './known-api-keys.js';

/** Whom requests speak for. */
@Module({ imports: [InMemoryModule], providers: [KnownApiKeys], exports: [KnownApiKeys] })
export class AuthModule {}
