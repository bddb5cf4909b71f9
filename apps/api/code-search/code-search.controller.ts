import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Post,
  Query,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiExtraModels,
  ApiOkResponse,
  type ApiResponseOptions,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  CodeFileView,
  CodeSearchBody,
  CodeSearchEndView,
  CodeSearchQuery,
  CodeSearchResponseView,
  StreamErrorView,
} from '#contracts/http/index';
import type { CodeSearchRequest } from '#search';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { acceptsText } from '../edge/accepts-text.js';
import { Problems } from '../openapi/problem-responses.js';
import { CODE_RECEIPT_HEADERS } from '../openapi/receipt-headers.js';
import { receipted } from '../search/receipt/show-receipt.js';
import { ClientGone } from '../streams/client-gone.js';
import {
  acceptsEventStream,
  EVENT_STREAM_HEADERS,
  eventStreamBody,
} from '../streams/event-stream-body.js';
import { streamOf } from '../streams/stream-schema.js';
import { CodeSearchStream } from './code-search-stream.js';
import { codeText } from './code-text.js';
import { SearchCode } from './search-code.js';

const EVENT_DATA = [CodeFileView, CodeSearchEndView, StreamErrorView] as const;

/** Returns the description of an answer; each operation needs its own. */
function described(): ApiResponseOptions {
  const [file, end, error] = EVENT_DATA;
  const stream = streamOf([
    { title: 'CodeFileEvent', event: 'file', data: file, id: 'never' },
    { title: 'CodeSearchDoneEvent', event: 'done', data: end, id: 'never' },
    { title: 'CodeSearchErrorEvent', event: 'error', data: error, id: 'never' },
  ]);
  return {
    description:
      'Matching lines by file; as `text/plain` with `path:line:text` for each line; as ' +
      '`text/event-stream` a `file` event for each file once it is found, then `done`.',
    headers: CODE_RECEIPT_HEADERS,
    content: {
      'application/json': { schema: { $ref: getSchemaPath(CodeSearchResponseView) } },
      'text/plain': { schema: { type: 'string' } },
      'text/event-stream': { schema: stream },
    },
  };
}

type Answer = CodeSearchResponseView | StreamableFile | string;

@ApiTags('search')
@ApiExtraModels(CodeSearchResponseView, ...EVENT_DATA)
@NeedsScope('read')
@Controller('search/code')
export class CodeSearchController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: CodeSearchStream,
  ) {}

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Get()
  @ApiOkResponse(described())
  @Problems('scope_missing', 'quota_exceeded', 'rate_limited')
  get(
    @CurrentCaller() caller: Caller,
    @Query() request: CodeSearchQuery,
    @Headers('accept') accept: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer> {
    return this.search({ caller, request, accept, gone }, reply);
  }

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(described())
  @Problems(
    'scope_missing',
    'quota_exceeded',
    'rate_limited',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
  )
  post(
    @CurrentCaller() caller: Caller,
    @Body() request: CodeSearchBody,
    @Headers('accept') accept: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer> {
    return this.search({ caller, request, accept, gone }, reply);
  }

  private async search(
    { caller, request, accept, gone }: AcceptedSearch,
    reply: FastifyReply,
  ): Promise<Answer> {
    if (acceptsEventStream(accept)) {
      const messages = await this.streams.open(caller, request, gone);
      void reply.headers(EVENT_STREAM_HEADERS);
      return eventStreamBody(messages);
    }
    const found = await this.queries.execute(new SearchCode(caller, request, { gone }));
    const answer = receipted(found, reply);
    if (!acceptsText(accept)) return answer;
    void reply.type('text/plain; charset=utf-8');
    return codeText(answer);
  }
}

/** A request with the form that its client accepts. */
interface AcceptedSearch {
  readonly caller: Caller;
  readonly request: CodeSearchRequest;
  readonly accept: string | undefined;
  readonly gone: AbortSignal;
}
