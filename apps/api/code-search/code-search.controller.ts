import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
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
import { Problems } from '../openapi/problem-responses.js';
import { ClientGone } from '../streams/client-gone.js';
import { type CodeSearchAnswer, CodeSearchForms, type Exchange } from './code-search-forms.js';
import type { RunCodeSearch } from './code-search-stream.js';
import { describedCodeSearch } from './described-code-search.js';
import { SearchCode } from './search-code.js';

const ANSWER = { answer: CodeSearchResponseView, end: CodeSearchEndView };

@ApiTags('search')
@ApiExtraModels(CodeSearchResponseView, CodeSearchEndView, CodeFileView, StreamErrorView)
@NeedsScope('read')
@Controller('search/code')
export class CodeSearchController {
  constructor(
    private readonly queries: QueryBus,
    private readonly forms: CodeSearchForms,
  ) {}

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Get()
  @ApiOkResponse(describedCodeSearch(ANSWER))
  @Problems('scope_missing', 'quota_exceeded', 'rate_limited')
  get(
    @CurrentCaller() caller: Caller,
    @Query() request: CodeSearchQuery,
    @Headers('accept') accept: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSearchAnswer<CodeSearchResponseView>> {
    return this.search(caller, request, { accept, gone, reply });
  }

  /**
   * Returns every line of the tenant's sources that contains a text or matches a regular
   * expression, in linear time.
   */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(describedCodeSearch(ANSWER))
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
  ): Promise<CodeSearchAnswer<CodeSearchResponseView>> {
    return this.search(caller, request, { accept, gone, reply });
  }

  private search(
    caller: Caller,
    request: CodeSearchRequest,
    exchange: Exchange,
  ): Promise<CodeSearchAnswer<CodeSearchResponseView>> {
    const run: RunCodeSearch = (limits) =>
      this.queries.execute(new SearchCode(caller, request, limits));
    return this.forms.answer(caller, request, run, exchange);
  }
}
