import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { ExportTrailQuery } from '#contracts/http/index';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ExportTrail } from './export-trail.js';

const FILE = { type: 'string', format: 'binary' };

@ApiTags('audit')
@Controller('audit/export')
@NeedsScope('audit')
export class AuditExportController {
  constructor(private readonly queries: QueryBus) {}

  /** Streams the trail in the order of seq; NDJSON ends with a manifest that verifies it. */
  @Get()
  @ApiOkResponse({
    description: 'The export; `application/x-ndjson` for `ndjson` and `ocsf`.',
    content: { 'application/x-ndjson': { schema: FILE }, 'text/csv': { schema: FILE } },
  })
  @Problems('scope_missing')
  async export(
    @CurrentCaller() caller: Caller,
    @Query() query: ExportTrailQuery,
  ): Promise<StreamableFile> {
    const exported = await this.queries.execute(new ExportTrail(caller, query));
    const { content, contentType, fileName } = exported;
    const disposition = `attachment; filename="${fileName}"`;
    return new StreamableFile(content, { type: contentType, disposition });
  }
}
