import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  SourceFileQuery,
  SourceFileView,
  SourceOutlineQuery,
  SourceOutlineView,
  SourceTreeQuery,
  SourceTreeView,
} from '#contracts/http/index';

import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { describedFile, showText, wantsText } from './file-forms.js';
import { fileLines, lineRangeOf } from './file-lines.js';
import { GetSourceFile } from './get-source-file.js';
import { GetSourceOutline } from './get-source-outline.js';
import { GetSourceTree } from './get-source-tree.js';

const PROBLEMS = [
  'scope_missing',
  'source_not_found',
  'content_not_found',
  'generation_dropped',
  'content_missing',
] as const;

@ApiTags('sources')
@ApiExtraModels(SourceFileView)
@Controller('sources')
export class SourceFilesController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the files and folders of a kept version of a source. */
  @Get(':source_id/tree')
  @Problems(...PROBLEMS)
  tree(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: SourceTreeQuery,
  ): Promise<SourceTreeView> {
    return this.queries.execute(new GetSourceTree(caller, sourceId, query));
  }

  /** Lists the definitions of a file of a kept version of a source. */
  @Get(':source_id/outline')
  @Problems(...PROBLEMS)
  outline(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: SourceOutlineQuery,
  ): Promise<SourceOutlineView> {
    return this.queries.execute(new GetSourceOutline(caller, sourceId, query));
  }

  /** Returns lines of a file of a kept version of a source, or its whole text. */
  @Get(':source_id/files')
  @ApiOkResponse(describedFile(SourceFileView))
  @Problems(...PROBLEMS)
  async file(
    @CurrentCaller() caller: Caller,
    @Param('source_id') sourceId: string,
    @Query() query: SourceFileQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceFileView | string> {
    const range = lineRangeOf(query);
    const file = await this.queries.execute(new GetSourceFile(caller, sourceId, query));
    if (!wantsText(query, accept)) return fileLines(file, range);
    return showText(file, known, reply);
  }
}
