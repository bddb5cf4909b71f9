import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { ErasedTenants } from './erased-tenants.js';
import { KeyUsage } from './key-usage.js';
import { KnownApiKeys } from './known-api-keys.js';

/** Whom requests speak for. */
@Module({
  imports: [InMemoryModule],
  providers: [ErasedTenants, KnownApiKeys, KeyUsage],
  exports: [ErasedTenants, KnownApiKeys, KeyUsage],
})
export class AuthModule {}
