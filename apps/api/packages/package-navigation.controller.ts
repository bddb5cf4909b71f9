import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, type ApiResponseOptions, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  PackageDefinitionsQuery,
  PackageDefinitionsView,
  PackageReferencesQuery,
  PackageReferencesView,
  PackageSymbolsQuery,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { CODE_RECEIPT_HEADERS } from '../openapi/receipt-headers.js';
import { receipted } from '../search/receipt/show-receipt.js';
import { ClientGone } from '../streams/client-gone.js';
import { NavigatePackage, type PackageNavigationRequest } from './navigate-package.js';
import { HAVING_A_PACKAGE, INDEXING_IT } from './package-problems.js';

const DEFINITIONS: ApiResponseOptions = {
  description: 'Definitions of the release by closeness of the name.',
  type: PackageDefinitionsView,
  headers: CODE_RECEIPT_HEADERS,
};
const REFERENCES: ApiResponseOptions = {
  description: 'Identifiers of the release with the name by path and place.',
  type: PackageReferencesView,
  headers: CODE_RECEIPT_HEADERS,
};

/** Definitions and references in one release, which is fetched and indexed first if necessary. */
@ApiTags('packages')
@NeedsScope('read')
@Controller('packages')
export class PackageNavigationController {
  constructor(private readonly queries: QueryBus) {}

  /** Finds definitions of a release by name, by the beginning of a name, or by its humps. */
  @Get('symbols')
  @ApiOkResponse(DEFINITIONS)
  @Problems(...HAVING_A_PACKAGE, ...INDEXING_IT, 'quota_exceeded')
  async symbols(
    @CurrentCaller() caller: Caller,
    @Query() query: PackageSymbolsQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageDefinitionsView> {
    return this.run(caller, { operation: 'symbols', ...query }, gone, reply);
  }

  /** Finds the definitions of an exact name, or of the identifier at a place of a release. */
  @Get('definitions')
  @ApiOkResponse(DEFINITIONS)
  @Problems(...HAVING_A_PACKAGE, ...INDEXING_IT, 'quota_exceeded', 'content_not_found')
  async definitions(
    @CurrentCaller() caller: Caller,
    @Query() query: PackageDefinitionsQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageDefinitionsView> {
    return this.run(caller, { operation: 'definitions', ...query }, gone, reply);
  }

  /** Finds the identifiers of a release with an exact name, or with that of the one at a place. */
  @Get('references')
  @ApiOkResponse(REFERENCES)
  @Problems(...HAVING_A_PACKAGE, ...INDEXING_IT, 'quota_exceeded', 'content_not_found')
  async references(
    @CurrentCaller() caller: Caller,
    @Query() query: PackageReferencesQuery,
    @ClientGone() gone: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageReferencesView> {
    return this.run(caller, { operation: 'references', ...query }, gone, reply);
  }

  /** The operation decides which of the two views the answer is. */
  private async run<View>(
    caller: Caller,
    request: PackageNavigationRequest,
    gone: AbortSignal,
    reply: FastifyReply,
  ): Promise<View> {
    const answer = await this.queries.execute(new NavigatePackage(caller, request, gone));
    return receipted(answer, reply) as View;
  }
}
