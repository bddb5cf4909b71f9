import { join } from 'node:path';

import { Controller, Delete, Get, HttpCode, Inject, Param, Put, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import {
  ScipIndexList,
  ScipRemovalQuery,
  ScipUploadQuery,
  ScipUploadView,
} from '#contracts/http/index';
import type { Config } from '#platform';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { SCIP_CONTENT_TYPES } from '../edge/scip-body.js';
import { CONFIG } from '../engines/engines.js';
import { Problems } from '../openapi/problem-responses.js';
import { ListScip } from './list-scip.js';
import { receiveScip } from './receive-scip.js';
import { RemoveScip } from './remove-scip.js';
import { UploadScip } from './upload-scip.js';

@ApiTags('sources')
@Controller('sources')
export class ScipController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Uploads a SCIP index of a kept version, in place of an earlier one of the same name. Its
   * occurrences answer requests for definitions and references in files that are unchanged since.
   * The same index again changes nothing.
   */
  @Put(':source_id/scip')
  @NeedsScope('write')
  @ApiConsumes(...SCIP_CONTENT_TYPES)
  @ApiBody({
    schema: { type: 'string', format: 'binary' },
    description: 'A SCIP index (protobuf), at most 256 MiB.',
  })
  @Problems(
    'scope_missing',
    'source_not_found',
    'content_not_found',
    'content_missing',
    'generation_dropped',
    'bad_request',
    'concurrent_change',
    'body_too_large',
    'unsupported_media_type',
    'storage_full',
  )
  async upload(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: ScipUploadQuery,
    @Req() request: FastifyRequest,
  ): Promise<ScipUploadView> {
    const folder = join(this.config.dataDir, 'scratch', 'uploads');
    const receive = () => receiveScip(request.raw, folder);
    try {
      return await this.commands.execute(new UploadScip(caller, sourceId, query, receive));
    } finally {
      // Bytes that still arrive are dropped, so that the sender can read the answer.
      request.raw.resume();
    }
  }

  /** Lists the SCIP indexes that are used, with the files that each still applies to. */
  @Get(':source_id/scip')
  @NeedsScope('read')
  @Problems('scope_missing', 'source_not_found')
  list(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
  ): Promise<ScipIndexList> {
    return this.queries.execute(new ListScip(caller, sourceId));
  }

  /**
   * Removes the SCIP index of a name, or all of the source. Definitions and references are found by
   * syntax trees again.
   */
  @Delete(':source_id/scip')
  @NeedsScope('write')
  @HttpCode(204)
  @Problems('scope_missing', 'source_not_found', 'concurrent_change', 'legal_hold')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() { name }: ScipRemovalQuery,
  ): Promise<void> {
    return this.commands.execute(new RemoveScip(caller, sourceId, name));
  }
}
