import { Module } from '@nestjs/common';

import { ConversationKeys } from './conversation-keys.js';

/** The keys of conversations, for whoever seals or opens what was said in one. */
@Module({ providers: [ConversationKeys], exports: [ConversationKeys] })
export class ConversationKeysModule {}
