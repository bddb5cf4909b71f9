import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  PackageFileQuery,
  PackageFileView,
  PackageTreeQuery,
  PackageTreeView,
} from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { describedFile, showText, wantsText } from '../source-files/file-forms.js';
import { fileLines, lineRangeOf } from '../source-files/file-lines.js';
import { GetPackageFile } from './get-package-file.js';
import { GetPackageTree } from './get-package-tree.js';
import { HAVING_A_PACKAGE, INDEXING_IT } from './package-problems.js';

const PROBLEMS = [...HAVING_A_PACKAGE, ...INDEXING_IT, 'content_missing'] as const;

/** Files of one release, which is fetched and indexed first if necessary. */
@ApiTags('packages')
@ApiExtraModels(PackageFileView)
@NeedsScope('read')
@Controller('packages')
export class PackageFilesController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the files and folders of one release of a package. */
  @Get('tree')
  @Problems(...PROBLEMS)
  tree(
    @CurrentCaller() caller: Caller,
    @Query() query: PackageTreeQuery,
  ): Promise<PackageTreeView> {
    return this.queries.execute(new GetPackageTree(caller, query));
  }

  /** Returns lines of a file of one release of a package, or its whole text. */
  @Get('files')
  @ApiOkResponse(describedFile(PackageFileView))
  @Problems(...PROBLEMS, 'content_not_found')
  async file(
    @CurrentCaller() caller: Caller,
    @Query() query: PackageFileQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PackageFileView | string> {
    const range = lineRangeOf(query);
    const { file, release } = await this.queries.execute(new GetPackageFile(caller, query));
    if (!wantsText(query, accept)) return { ...fileLines(file, range), ...release };
    return showText(file, known, reply);
  }
}
