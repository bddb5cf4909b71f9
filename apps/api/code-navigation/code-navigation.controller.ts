import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, type ApiResponseOptions, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  DefinitionsQuery,
  DefinitionsView,
  ReferencesQuery,
  ReferencesView,
  SymbolsQuery,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { CODE_RECEIPT_HEADERS } from '../openapi/receipt-headers.js';
import { receipted } from '../search/receipt/show-receipt.js';
import { ClientGone } from '../streams/client-gone.js';
import { FindDefinitions } from './find-definitions.js';
import { FindReferences } from './find-references.js';

const DEFINITIONS: ApiResponseOptions = {
  description: 'Definitions by closeness of the name.',
  type: DefinitionsView,
  headers: CODE_RECEIPT_HEADERS,
};
const REFERENCES: ApiResponseOptions = {
  description: 'Identifiers with the name by source, path and place.',
  type: ReferencesView,
  headers: CODE_RECEIPT_HEADERS,
};

const SEARCHED = ['scope_missing', 'quota_exceeded', 'rate_limited'] as const;
/** Errors of a request that may have a place in a file. */
const PLACED = [...SEARCHED, 'source_not_found', 'content_not_found'] as const;

@ApiTags('search')
@NeedsScope('read')
@Controller()
export class CodeNavigationController {
  constructor(private readonly queries: QueryBus) {}

  /** Finds definitions by name, by the beginning of a name, or by its humps. */
  @Get('symbols')
  @ApiOkResponse(DEFINITIONS)
  @Problems(...SEARCHED)
  async symbols(
    @CurrentCaller() caller: Caller,
    @Query() query: SymbolsQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DefinitionsView> {
    const request = { operation: 'symbols' as const, ...query };
    return receipted(await this.queries.execute(new FindDefinitions(caller, request, gone)), reply);
  }

  /** Finds the definitions of an exact name, or of the identifier at a place. */
  @Get('definitions')
  @ApiOkResponse(DEFINITIONS)
  @Problems(...PLACED)
  async definitions(
    @CurrentCaller() caller: Caller,
    @Query() query: DefinitionsQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DefinitionsView> {
    const request = { operation: 'definitions' as const, ...query };
    return receipted(await this.queries.execute(new FindDefinitions(caller, request, gone)), reply);
  }

  /** Finds the identifiers with an exact name, or with that of the identifier at a place. */
  @Get('references')
  @ApiOkResponse(REFERENCES)
  @Problems(...PLACED)
  async references(
    @CurrentCaller() caller: Caller,
    @Query() query: ReferencesQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReferencesView> {
    const request = { operation: 'references' as const, ...query };
    return receipted(await this.queries.execute(new FindReferences(caller, request, gone)), reply);
  }
}
