import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';

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
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { SearchMultiHop } from './search-multi-hop.js';
import { Search } from './search.js';

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

  /**
   * Recursive multi-hop search: follows what the best hits name by further searches, adds the lines beside the hits, and
   * joins what touches. Every result is cited.
   */
  @Post('rmh')
  @HttpCode(200)
  @ApiOkResponse(answerOf(MultiHopResponseView))
  @Problems('scope_missing', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  rmh(@CurrentCaller() caller: Caller, @Body() request: MultiHopSearchBody): Promise<MultiHopResponse | NoEvidence> {
    return this.queries.execute(new SearchMultiHop(caller, request));
  }
}

function answerOf(view: typeof SearchResponseView) {
  return {
    description:
      'Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.',
    schema: { oneOf: [{ $ref: getSchemaPath(view) }, { $ref: getSchemaPath(NoEvidenceView) }] },
  };
}
