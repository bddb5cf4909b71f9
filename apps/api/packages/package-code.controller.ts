import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  CodeFileView,
  PackageCodeSearchBody,
  PackageCodeSearchEndView,
  PackageCodeSearchQuery,
  PackageCodeSearchView,
  StreamErrorView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import {
  type CodeSearchAnswer,
  CodeSearchForms,
  type Exchange,
} from '../code-search/code-search-forms.js';
import type { RunCodeSearch } from '../code-search/code-search-stream.js';
import { describedCodeSearch } from '../code-search/described-code-search.js';
import { Problems } from '../openapi/problem-responses.js';
import { ClientGone } from '../streams/client-gone.js';
import { HAVING_A_PACKAGE, INDEXING_IT } from './package-problems.js';
import { SearchPackageCode } from './search-package-code.js';

const ANSWER = { answer: PackageCodeSearchView, end: PackageCodeSearchEndView };
const PROBLEMS = [...HAVING_A_PACKAGE, ...INDEXING_IT, 'quota_exceeded'] as const;

/** Code search in one release, which is fetched and indexed first if necessary. */
@ApiTags('packages')
@ApiExtraModels(PackageCodeSearchView, PackageCodeSearchEndView, CodeFileView, StreamErrorView)
@NeedsScope('read')
@Controller('packages/search/code')
export class PackageCodeController {
  constructor(
    private readonly queries: QueryBus,
    private readonly forms: CodeSearchForms,
  ) {}

  /**
   * Returns every line of one release of a package that contains a text or matches a regular
   * expression, in linear time.
   */
  @Get()
  @ApiOkResponse(describedCodeSearch(ANSWER))
  @Problems(...PROBLEMS)
  get(
    @CurrentCaller() caller: Caller,
    @Query() request: PackageCodeSearchQuery,
    @Headers('accept') accept: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSearchAnswer<PackageCodeSearchView>> {
    return this.search(caller, request, { accept, gone, reply });
  }

  /**
   * Returns every line of one release of a package that contains a text or matches a regular
   * expression, in linear time.
   */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(describedCodeSearch(ANSWER))
  @Problems(...PROBLEMS, 'malformed_json', 'body_too_large', 'unsupported_media_type')
  post(
    @CurrentCaller() caller: Caller,
    @Body() request: PackageCodeSearchBody,
    @Headers('accept') accept: string | undefined,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSearchAnswer<PackageCodeSearchView>> {
    return this.search(caller, request, { accept, gone, reply });
  }

  private search(
    caller: Caller,
    request: PackageCodeSearchBody,
    exchange: Exchange,
  ): Promise<CodeSearchAnswer<PackageCodeSearchView>> {
    const run: RunCodeSearch<PackageCodeSearchView> = (limits) =>
      this.queries.execute(new SearchPackageCode(caller, request, limits));
    return this.forms.answer(caller, request, run, exchange);
  }
}
