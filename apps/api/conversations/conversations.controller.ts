import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import {
  ConversationDetailView,
  ConversationList,
  ConversationView,
  CreateConversationBody,
  PageQuery,
  UpdateConversationBody,
} from '#contracts/http/index';

import { NeedsScope, SignedIn } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { DeleteConversation } from './delete-conversation.js';
import { GetConversation } from './get-conversation.js';
import { ListConversations } from './list-conversations.js';
import { RenameConversation } from './rename-conversation.js';
import { StartConversation } from './start-conversation.js';

/**
 * A caller that may ask may also continue a conversation: as for `/chat`, the scope `read` is
 * enough.
 */
@ApiTags('chat')
@SignedIn()
@NeedsScope('read')
@Controller('conversations')
export class ConversationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Begins a conversation. Without a title it gets one from its first question. */
  @Post()
  @Idempotent()
  @Problems(
    'sign_in_required',
    'csrf_invalid',
    'malformed_json',
    'idempotency_key_reused',
    'unsupported_media_type',
  )
  start(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateConversationBody,
  ): Promise<ConversationView> {
    return this.commands.execute(new StartConversation(caller, body));
  }

  /** Lists the conversations of the signed-in person, newest first. */
  @Get()
  @Problems('sign_in_required')
  list(@CurrentCaller() caller: Caller, @Query() page: PageQuery): Promise<ConversationList> {
    return this.queries.execute(new ListConversations(caller, page));
  }

  /** Returns one conversation with what was said in it. */
  @Get(':conversation_id')
  @Problems('sign_in_required', 'conversation_not_found')
  get(
    @CurrentCaller() caller: Caller,
    @Param('conversation_id') conversationId: string,
  ): Promise<ConversationDetailView> {
    return this.queries.execute(new GetConversation(caller, conversationId));
  }

  /** Gives a conversation another title. */
  @Patch(':conversation_id')
  @Problems(
    'sign_in_required',
    'csrf_invalid',
    'conversation_not_found',
    'malformed_json',
    'unsupported_media_type',
    'concurrent_change',
  )
  rename(
    @CurrentCaller() caller: Caller,
    @Param('conversation_id') conversationId: string,
    @Body() { title }: UpdateConversationBody,
  ): Promise<ConversationView> {
    return this.commands.execute(new RenameConversation(caller, conversationId, title));
  }

  /** Deletes a conversation with its documents: nothing that was said in it can be read again. */
  @Delete(':conversation_id')
  @HttpCode(204)
  @Problems(
    'sign_in_required',
    'csrf_invalid',
    'conversation_not_found',
    'legal_hold',
    'concurrent_change',
  )
  remove(
    @CurrentCaller() caller: Caller,
    @Param('conversation_id') conversationId: string,
  ): Promise<void> {
    return this.commands.execute(new DeleteConversation(caller, conversationId));
  }
}
