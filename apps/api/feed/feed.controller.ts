import { Controller, Get, Headers, Query, Res, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  FeedEventPage,
  FeedEventView,
  ListFeedEventsQuery,
  StreamErrorView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ClientGone } from '../streams/client-gone.js';
import {
  acceptsEventStream,
  EVENT_STREAM_HEADERS,
  eventStreamBody,
} from '../streams/event-stream-body.js';
import { eventIdIn, LAST_EVENT_ID } from '../streams/last-event-id.js';
import { streamOf } from '../streams/stream-schema.js';
import { FeedStream } from './feed-stream.js';
import { feedTypes } from './feed-types.js';
import { ListFeedEvents } from './list-feed-events.js';

const STREAM_SCHEMA = streamOf([
  { title: 'FeedMessageEvent', data: FeedEventView, id: 'always' },
  { title: 'FeedErrorEvent', event: 'error', data: StreamErrorView, id: 'never' },
]);

@ApiTags('audit')
@ApiExtraModels(FeedEventPage, FeedEventView, StreamErrorView)
@Controller('events')
@NeedsScope('audit')
export class FeedController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: FeedStream,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Returns events of the tenant as CloudEvents, oldest first.',
    description:
      'With `Accept: text/event-stream` the answer is a stream: first history, then each new event. Ids are seqs: `Last-Event-ID` resumes without loss or repeat and overrides `after`. `limit` applies to JSON pages only.',
  })
  @ApiHeader({
    ...LAST_EVENT_ID,
    description: 'The id of the last event that the client has.',
  })
  @ApiResponse({
    status: 200,
    description: 'The page, or the stream. The schema of the stream is that of each event.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(FeedEventPage) } },
      'text/event-stream': { schema: STREAM_SCHEMA },
    },
  })
  @Problems('scope_missing', 'rate_limited')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListFeedEventsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedEventPage | StreamableFile> {
    if (!acceptsEventStream(accept)) {
      return this.queries.execute(new ListFeedEvents(caller, query));
    }
    const last = eventIdIn(lastEventId, 'must be the id of an event of this stream');
    const after = last === null ? query.after : Number(last);
    const request = { after, types: feedTypes(query.types) };
    const messages = this.streams.open(caller, request, gone);
    void reply.headers(EVENT_STREAM_HEADERS);
    return eventStreamBody(messages);
  }
}
