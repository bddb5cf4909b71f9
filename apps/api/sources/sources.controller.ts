import { join } from 'node:path';

import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  AsOfQuery,
  CreateSourceBody,
  HistoryQuery,
  ListSourcesQuery,
  SourceContent,
  SourceContentQuery,
  SourceDiffQuery,
  SourceDiffView,
  SourceHistoryList,
  SourceList,
  SourceView,
  SyncAccepted,
  UpdateSourceBody,
  UploadedSource,
  UploadSourceForm,
} from '#contracts/http/index';
import type { Config } from '#platform';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { MOMENT_HEADER, undated } from '../history/moment-header.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { DiffSource } from './diff-source.js';
import { GetSource } from './get-source.js';
import { ListSources } from './list-sources.js';
import { RegisterSource } from './register-source.js';
import { RemoveSource } from './remove-source.js';
import { RequestSync } from './request-sync.js';
import { GetSourceContent } from './source-content.js';
import { GetSourceHistory } from './source-history.js';
import { UpdateSource } from './update-source.js';
import { receiveUpload } from './upload/receive-upload.js';
import { UploadSource } from './upload-source.js';

@ApiTags('sources')
@Controller('sources')
export class SourcesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Registers a source. No sync is started. */
  @Post()
  @Idempotent()
  @Problems(
    'scope_missing',
    'quota_exceeded',
    'malformed_json',
    'idempotency_key_reused',
    'body_too_large',
    'unsupported_media_type',
  )
  create(@CurrentCaller() caller: Caller, @Body() body: CreateSourceBody): Promise<SourceView> {
    return this.commands.execute(new RegisterSource(caller, body));
  }

  /** Uploads a PDF as a source and starts its sync. */
  @Post('upload')
  @Idempotent()
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadSourceForm })
  @Problems(
    'scope_missing',
    'quota_exceeded',
    'bad_request',
    'idempotency_key_reused',
    'sync_in_progress',
    'body_too_large',
    'unsupported_media_type',
    'storage_full',
  )
  async upload(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<UploadedSource> {
    const { limits, dataDir } = this.config;
    const folder = join(dataDir, 'scratch', 'uploads');
    const upload = await receiveUpload(request, { maxBytes: limits.maxUploadBytes, folder });
    try {
      return await this.commands.execute(new UploadSource(caller, upload));
    } finally {
      await upload.file.close();
    }
  }

  /** Lists sources, newest first, now or at a moment of the tenant's history. */
  @Get()
  @ApiOkResponse({ type: SourceList, headers: MOMENT_HEADER })
  @Problems('scope_missing')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() filter: ListSourcesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceList> {
    return undated(await this.queries.execute(new ListSources(caller, filter)), reply);
  }

  /** Returns one source, now or at a moment of the tenant's history. */
  @Get(':source_id')
  @ApiOkResponse({ type: SourceView, headers: MOMENT_HEADER })
  @Problems('scope_missing', 'source_not_found')
  async get(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() asOf: AsOfQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceView> {
    return undated(await this.queries.execute(new GetSource(caller, sourceId, asOf)), reply);
  }

  /**
   * Lists the changes of a source and its content: who made them and from what. Works for removed
   * sources too.
   */
  @Get(':source_id/history')
  @NeedsScope('audit')
  @Problems('scope_missing', 'source_not_found')
  history(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: HistoryQuery,
  ): Promise<SourceHistoryList> {
    return this.queries.execute(new GetSourceHistory(caller, sourceId, query));
  }

  /** Returns the files and symbols that differ between two kept generations. */
  @Get(':source_id/diff')
  @Problems(
    'scope_missing',
    'source_not_found',
    'content_not_found',
    'generation_dropped',
    'content_missing',
  )
  diff(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: SourceDiffQuery,
  ): Promise<SourceDiffView> {
    return this.queries.execute(new DiffSource(caller, sourceId, query));
  }

  /** Changes a source. What is fetched changes at the next sync. */
  @Patch(':source_id')
  @Problems(
    'scope_missing',
    'malformed_json',
    'source_not_found',
    'concurrent_change',
    'unsupported_media_type',
  )
  update(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Body() body: UpdateSourceBody,
  ): Promise<SourceView> {
    return this.commands.execute(new UpdateSource(caller, sourceId, body));
  }

  /** Removes a source and everything indexed of it; a running sync is cancelled. */
  @Delete(':source_id')
  @HttpCode(204)
  @Problems('scope_missing', 'source_not_found', 'concurrent_change')
  remove(@CurrentCaller() caller: Caller, @Param('source_id') sourceId: string): Promise<void> {
    return this.commands.execute(new RemoveSource(caller, sourceId));
  }

  /** Starts a sync in the background. */
  @Post(':source_id/sync')
  @HttpCode(200)
  @Idempotent()
  @Problems(
    'scope_missing',
    'source_not_found',
    'sync_in_progress',
    'idempotency_key_reused',
    'concurrent_change',
  )
  sync(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
  ): Promise<SyncAccepted> {
    return this.commands.execute(new RequestSync(caller, sourceId));
  }

  /** Returns lines of a document of the live version, as indexed. */
  @Get(':source_id/content')
  @Problems('scope_missing', 'source_not_found', 'content_not_found', 'content_missing')
  content(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() wanted: SourceContentQuery,
  ): Promise<SourceContent> {
    return this.queries.execute(new GetSourceContent(caller, sourceId, wanted));
  }
}
