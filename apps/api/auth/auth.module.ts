import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { KeyUsage } from './key-usage.js';
import { KnownApiKeys } from './known-api-keys.js';

/** Whom requests speak for. */
@Module({ imports: [InMemoryModule], providers: [KnownApiKeys, KeyUsage], exports: [KnownApiKeys, KeyUsage] })
export class AuthModule {}
