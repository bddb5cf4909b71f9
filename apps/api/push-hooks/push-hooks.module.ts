import { Module } from '@nestjs/common';

import { SourcesModule } from '../sources/sources.module.js';
import { WriteModule } from '../write/write.module.js';
import { PushHooksController } from './push-hooks.controller.js';
import { ReceivePushHandler } from './receive-push.js';
import { RemovePushHookHandler } from './remove-push-hook.js';
import { SetPushHookHandler } from './set-push-hook.js';

/** `/sources/{source_id}/hooks` */
@Module({
  imports: [SourcesModule, WriteModule],
  controllers: [PushHooksController],
  providers: [SetPushHookHandler, RemovePushHookHandler, ReceivePushHandler],
})
export class PushHooksModule {}
