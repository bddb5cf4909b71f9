import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { KnownPushHooks } from './known-push-hooks.js';
import { PushGate } from './push-gate.js';
import { PushHooksController } from './push-hooks.controller.js';
import { ReceivePushHandler } from './receive-push.js';
import { RemovePushHookHandler } from './remove-push-hook.js';
import { SetPushHookHandler } from './set-push-hook.js';

/** `/sources/{source_id}/hooks` */
@Module({
  imports: [AuthModule, InMemoryModule, SourcesModule, WriteModule],
  controllers: [PushHooksController],
  providers: [
    KnownPushHooks,
    PushGate,
    SetPushHookHandler,
    RemovePushHookHandler,
    ReceivePushHandler,
  ],
})
export class PushHooksModule {}
