import { Module } from '@nestjs/common';

import { ConversationKeys } from './conversation-keys.js';

/** Provides the keys of conversations to services that seal or open their text. */
@Module({ providers: [ConversationKeys], exports: [ConversationKeys] })
export class ConversationKeysModule {}
