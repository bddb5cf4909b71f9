import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { AccessTokens } from './access-tokens.js';
import { ErasedTenants } from './erased-tenants.js';
import { KeyUsage } from './key-usage.js';
import { KnownApiKeys } from './known-api-keys.js';
import { KnownUsers } from './known-users.js';
import { LiveCredentials } from './live-credentials.js';
import { SessionCookies } from './session-cookies.js';
import { SessionKeys } from './session-keys.js';
import { SessionTokens } from './session-tokens.js';
import { Sessions } from './sessions.js';

/** Authentication of requests. */
@Module({
  imports: [InMemoryModule],
  providers: [
    AccessTokens,
    ErasedTenants,
    KnownApiKeys,
    KeyUsage,
    KnownUsers,
    SessionKeys,
    SessionTokens,
    SessionCookies,
    Sessions,
    LiveCredentials,
  ],
  exports: [
    AccessTokens,
    ErasedTenants,
    KnownApiKeys,
    KeyUsage,
    KnownUsers,
    SessionKeys,
    Sessions,
    LiveCredentials,
  ],
})
export class AuthModule {}
