import {
  Body,
  Controller,
  HttpCode,
  type MessageEvent,
  Post,
  RequestMethod,
  Res,
  Sse,
  SseSignal,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { from, type Observable } from 'rxjs';

import {
  ChatBody,
  ChatResponseView,
  ChatStreamBody,
  ChatSummaryView,
  ChatTokenView,
  StreamErrorView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { rateLimitHeaders } from '../edge/rate-limit-headers.js';
import { Problems } from '../openapi/problem-responses.js';
import { RECEIPT_HEADER } from '../openapi/receipt-headers.js';
import { ClientGone } from '../streams/client-gone.js';
import { streamOf } from '../streams/stream-schema.js';
import { Ask } from './ask.js';
import { ChatStream } from './chat-stream.js';

/** Unread characters of a slow client before it is disconnected. */
const MAX_PENDING = 256 * 1024;

const ASKING = [
  'scope_missing',
  'sign_in_required',
  'conversation_not_found',
  'concurrent_change',
  'conversation_full',
  'quota_exceeded',
  'rate_limited',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
] as const;
const STREAM_SCHEMA = streamOf([
  { title: 'ChatTokenEvent', event: 'token', data: ChatTokenView, id: 'never' },
  { title: 'ChatDoneEvent', event: 'done', data: ChatSummaryView, id: 'never' },
  { title: 'ChatErrorEvent', event: 'error', data: StreamErrorView, id: 'never' },
]);

@ApiTags('chat')
@ApiExtraModels(ChatTokenView, ChatSummaryView, StreamErrorView)
@NeedsScope('read')
@Controller('chat')
export class ChatController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: ChatStream,
  ) {}

  /** Answers a question from the tenant's sources; every statement is cited. */
  @Post()
  @HttpCode(200)
  @ApiOkResponse({
    type: ChatResponseView,
    description:
      'The answer; or, when nothing is relevant or the policy refuses, a sentence that says so, without citations.',
    headers: RECEIPT_HEADER,
  })
  @Problems(...ASKING)
  async ask(
    @CurrentCaller() caller: Caller,
    @Body() request: ChatBody,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatResponseView> {
    const { answer, rateLimit } = await this.queries.execute(new Ask(caller, request, gone));
    void reply.headers({
      'x-receipt-id': answer.receipt_id,
      ...(rateLimit && rateLimitHeaders(rateLimit)),
    });
    return answer;
  }

  @Sse('stream', { method: RequestMethod.POST, maxPendingDataLength: MAX_PENDING })
  @HttpCode(200)
  @ApiOperation({
    summary: 'The same answer as server-sent events.',
    description:
      'Events: `token` for each piece of the answer, in order; `done` with what it cites, once and last; or `error` `{error, code}` when it cannot be ended. What is wrong before the first event is answered as JSON.',
  })
  @ApiResponse({
    status: 200,
    description: 'The stream. Its schema is that of each event.',
    content: { 'text/event-stream': { schema: STREAM_SCHEMA } },
  })
  @Problems(...ASKING)
  async stream(
    @CurrentCaller() caller: Caller,
    @Body() request: ChatStreamBody,
    @SseSignal() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Observable<MessageEvent>> {
    const { messages, receiptId, rateLimit } = await this.streams.open(caller, request, gone);
    // The stream writes its own head, over what is set on the answer below it.
    const headers = { 'x-receipt-id': receiptId, ...(rateLimit && rateLimitHeaders(rateLimit)) };
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
    return from(messages);
  }
}
