import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  type ApiResponseOptions,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { NoEvidence } from '#contracts';
import {
  AddPackageBody,
  GlobalPackageList,
  GlobalPackageView,
  ListGlobalPackagesQuery,
  NoEvidenceView,
  PackageLinkList,
  PackageLinkView,
  PackageSearchBody,
  PackageSearchQuery,
  PackageSearchResponseView,
  PageQuery,
} from '#contracts/http/index';

import { NeedsScope, Public } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { RECEIPT_HEADER } from '../openapi/receipt-headers.js';
import { AddPackage } from './add-package.js';
import { CatalogueLimit } from './catalogue-limit.guard.js';
import { GetGlobalPackage } from './get-global-package.js';
import { ListGlobalPackages } from './list-global-packages.js';
import { ListPackageLinks } from './list-package-links.js';
import { HAVING_A_PACKAGE, INDEXING_IT } from './package-problems.js';
import { RemovePackageLink } from './remove-package-link.js';
import { SearchPackage } from './search-package.js';

const ANSWER: ApiResponseOptions = {
  description:
    'Results with citations; or, when nothing is relevant or the policy refuses, a payload without `results`.',
  headers: RECEIPT_HEADER,
  schema: {
    oneOf: [
      { $ref: getSchemaPath(PackageSearchResponseView) },
      { $ref: getSchemaPath(NoEvidenceView) },
    ],
  },
};

@ApiTags('packages')
@ApiExtraModels(PackageSearchResponseView, NoEvidenceView)
@Controller('packages')
export class PackagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Searches a package of a public registry, which is fetched and indexed first where nobody did
   * before.
   */
  @Get('search')
  @ApiOkResponse(ANSWER)
  @Problems(...HAVING_A_PACKAGE, ...INDEXING_IT)
  async get(
    @CurrentCaller() caller: Caller,
    @Query() request: PackageSearchQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageSearchResponseView | NoEvidence> {
    return this.search(caller, request, reply);
  }

  /**
   * Searches a package of a public registry, which is fetched and indexed first where nobody did
   * before.
   */
  @Post('search')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiOkResponse(ANSWER)
  @Problems(
    ...HAVING_A_PACKAGE,
    ...INDEXING_IT,
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
  )
  async post(
    @CurrentCaller() caller: Caller,
    @Body() request: PackageSearchBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageSearchResponseView | NoEvidence> {
    return this.search(caller, request, reply);
  }

  /** Lists the catalogue: every release that was searched or linked, newest first. */
  @Get('global')
  @Public()
  @UseGuards(CatalogueLimit)
  @Problems('rate_limited')
  listGlobal(@Query() filter: ListGlobalPackagesQuery): Promise<GlobalPackageList> {
    return this.queries.execute(new ListGlobalPackages(filter));
  }

  /** Returns one release of the catalogue. */
  @Get('global/:package_id')
  @Public()
  @UseGuards(CatalogueLimit)
  @Problems('rate_limited', 'package_not_found')
  getGlobal(@Param('package_id') packageId: string): Promise<GlobalPackageView> {
    return this.queries.execute(new GetGlobalPackage(packageId));
  }

  /** Links a package: the tenant's searches cover it. It is indexed unless it is already. */
  @Post('add')
  @Idempotent()
  @ApiCreatedResponse({ type: PackageLinkView, description: 'A new link.' })
  @ApiOkResponse({ type: PackageLinkView, description: 'The link that the tenant has already.' })
  @Problems(
    ...HAVING_A_PACKAGE,
    'malformed_json',
    'idempotency_key_reused',
    'concurrent_change',
    'rate_limited',
    'body_too_large',
    'unsupported_media_type',
  )
  async add(
    @CurrentCaller() caller: Caller,
    @Body() body: AddPackageBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageLinkView> {
    const { link, isNew } = await this.commands.execute(new AddPackage(caller, body));
    void reply.status(isNew ? 201 : 200);
    return link;
  }

  /** Lists the packages that the tenant links, newest first. */
  @Get('my-packages')
  @Problems('scope_missing')
  listLinks(@CurrentCaller() caller: Caller, @Query() page: PageQuery): Promise<PackageLinkList> {
    return this.queries.execute(new ListPackageLinks(caller, page));
  }

  /** Removes a link; the package stays in the catalogue. */
  @Delete('my-packages/:link_id')
  @HttpCode(204)
  @Problems('scope_missing', 'package_link_not_found', 'concurrent_change')
  removeLink(@CurrentCaller() caller: Caller, @Param('link_id') linkId: string): Promise<void> {
    return this.commands.execute(new RemovePackageLink(caller, linkId));
  }

  private async search(caller: Caller, request: PackageSearchBody, reply: FastifyReply) {
    const { answer, receiptId } = await this.queries.execute(new SearchPackage(caller, request));
    void reply.header('x-receipt-id', receiptId);
    return answer;
  }
}
