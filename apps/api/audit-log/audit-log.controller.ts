import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { NeedsScope } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Problems } from '../openapi/problem-responses.js';
import { ReadLogCheckpoint } from './read-log-checkpoint.js';
import { ReadLogTile } from './read-log-tile.js';

/**
 * A tile of a path never changes. Every tenant has the same paths, so a cache must keep the answers
 * of two callers apart.
 */
const IMMUTABLE = {
  'cache-control': 'private, max-age=31536000, immutable',
  vary: 'Authorization, X-API-Key, Cookie',
};

/** The tenant's tree as a tiled transparency log (C2SP `tlog-tiles`). */
@ApiTags('audit')
@Controller('audit/log')
@NeedsScope('audit')
export class AuditLogController {
  constructor(private readonly queries: QueryBus) {}

  /** Returns the newest signed checkpoint as a note. */
  @Get('checkpoint')
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @Problems('scope_missing', 'not_found')
  async checkpoint(
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const checkpoint = await this.queries.execute(new ReadLogCheckpoint(caller));
    void reply.type('text/plain; charset=utf-8');
    return checkpoint;
  }

  @Get('tile/*')
  @ApiOperation({
    summary: 'Returns the hashes of a tile, or the entries below it.',
    description:
      'Paths are those of C2SP `tlog-tiles`: `<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`. ' +
      'A tile never changes, so caches may keep it.',
  })
  @ApiParam({
    name: 'path',
    description: '`<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`; it contains slashes.',
    schema: { type: 'string', maxLength: 100, example: '0/x001/234.p/17' },
  })
  @ApiOkResponse({
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @Problems('scope_missing', 'not_found')
  async tile(
    @CurrentCaller() caller: Caller,
    @Param('*') path: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const tile = await this.queries.execute(new ReadLogTile(caller, path));
    void reply.headers(IMMUTABLE);
    return new StreamableFile(tile, { type: 'application/octet-stream', length: tile.length });
  }
}
