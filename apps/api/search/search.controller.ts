import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';

import type { NoEvidence, SearchResponse } from '#contracts';
import { NoEvidenceView, SearchBody, SearchQuery, SearchResponseView } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { Search } from './search.js';

const ANSWER = {
  description:
    'Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.',
  schema: { oneOf: [{ $ref: getSchemaPath(SearchResponseView) }, { $ref: getSchemaPath(NoEvidenceView) }] },
};

@ApiTags('search')
@ApiExtraModels(SearchResponseView, NoEvidenceView)
@NeedsScope('read')
@Controller('search')
export class SearchController {
  constructor(private readonly queries: QueryBus) {}

  /** Searches the tenant's sources by words and vectors; every result is cited. */
  @Get()
  @ApiOkResponse(ANSWER)
  @Problems('scope_missing')
  get(@CurrentCaller() caller: Caller, @Query() request: SearchQuery): Promise<SearchResponse | NoEvidence> {
    return this.queries.execute(new Search(caller, request));
  }

  /** Searches the tenant's sources by words and vectors; every result is cited. */
  @Post()
  @HttpCode(200)
  @ApiOkResponse(ANSWER)
  @Problems('scope_missing', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  post(@CurrentCaller() caller: Caller, @Body() request: SearchBody): Promise<SearchResponse | NoEvidence> {
    return this.queries.execute(new Search(caller, request));
  }
}
