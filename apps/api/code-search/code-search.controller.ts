import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, type ApiResponseOptions, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { CodeSearchBody, CodeSearchQuery, CodeSearchResponseView } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { CODE_RECEIPT_HEADERS } from '../openapi/receipt-headers.js';
import { receipted } from '../search/receipt/show-receipt.js';
import { ClientGone } from '../streams/client-gone.js';
import { SearchCode } from './search-code.js';

const ANSWER: ApiResponseOptions = {
  description: 'Matching lines by file.',
  type: CodeSearchResponseView,
  headers: CODE_RECEIPT_HEADERS,
};

@ApiTags('search')
@NeedsScope('read')
@Controller('search/code')
export class CodeSearchController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Get()
  @ApiOkResponse(ANSWER)
  @Problems('scope_missing', 'quota_exceeded', 'rate_limited')
  get(
    @CurrentCaller() caller: Caller,
    @Query() request: CodeSearchQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSearchResponseView> {
    return this.search(new SearchCode(caller, request, gone), reply);
  }

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(ANSWER)
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
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSearchResponseView> {
    return this.search(new SearchCode(caller, request, gone), reply);
  }

  private async search(query: SearchCode, reply: FastifyReply): Promise<CodeSearchResponseView> {
    return receipted(await this.queries.execute(query), reply);
  }
}
