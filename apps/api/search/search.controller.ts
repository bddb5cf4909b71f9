import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiExtraModels,
  ApiOkResponse,
  type ApiResponseOptions,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { MultiHopResponse, NoEvidence, SearchResponse } from '#contracts';
import {
  MultiHopResponseView,
  MultiHopSearchBody,
  NoEvidenceView,
  SearchBody,
  SearchQuery,
  SearchResponseView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MOMENT_HEADER } from '../history/moment-header.js';
import { Problems } from '../openapi/problem-responses.js';
import { RATE_LIMIT_HEADERS } from '../openapi/rate-limit-headers.js';
import { RECEIPT_HEADER } from '../openapi/receipt-headers.js';
import { receipted } from './receipt/show-receipt.js';
import { Search } from './search.js';
import { SearchMultiHop } from './search-multi-hop.js';

const SEARCHING_BY_BODY = [
  'search_too_costly',
  'scope_missing',
  'quota_exceeded',
  'rate_limited',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
] as const;
const ANSWER = answerOf(SearchResponseView);

@ApiTags('search')
@ApiExtraModels(SearchResponseView, MultiHopResponseView, NoEvidenceView)
@NeedsScope('read')
@Controller('search')
export class SearchController {
  constructor(private readonly queries: QueryBus) {}

  /** Searches the tenant's sources by words and vectors; every result is cited. */
  @Get()
  @ApiOkResponse(ANSWER)
  @Problems('search_too_costly', 'scope_missing', 'quota_exceeded')
  async get(
    @CurrentCaller() caller: Caller,
    @Query() request: SearchQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResponse | NoEvidence> {
    return receipted(await this.queries.execute(new Search(caller, request)), reply);
  }

  /** Searches the tenant's sources by words and vectors; every result is cited. */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(ANSWER)
  @Problems(...SEARCHING_BY_BODY, 'generation_dropped', 'content_missing')
  async post(
    @CurrentCaller() caller: Caller,
    @Body() request: SearchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResponse | NoEvidence> {
    return receipted(await this.queries.execute(new Search(caller, request)), reply);
  }

  /**
   * Recursive multi-hop search: follows names in the best hits by further searches, adds
   * neighboring lines of the hits, and joins adjacent passages. Every result is cited.
   */
  @Post('rmh')
  @HttpCode(200)
  @ApiOkResponse(answerOf(MultiHopResponseView))
  @Problems(...SEARCHING_BY_BODY)
  async rmh(
    @CurrentCaller() caller: Caller,
    @Body() request: MultiHopSearchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MultiHopResponse | NoEvidence> {
    return receipted(await this.queries.execute(new SearchMultiHop(caller, request)), reply);
  }
}

function answerOf(view: typeof SearchResponseView): ApiResponseOptions {
  return {
    description:
      'Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.',
    headers: {
      ...RECEIPT_HEADER,
      ...RATE_LIMIT_HEADERS,
      ...MOMENT_HEADER,
    },
    schema: { oneOf: [{ $ref: getSchemaPath(view) }, { $ref: getSchemaPath(NoEvidenceView) }] },
  };
}
