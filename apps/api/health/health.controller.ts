import { Controller, Get, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { Public } from '../auth/access.decorators.js';
import { LiveView, ReadyView } from './health.dto.js';
import { Readiness } from './readiness.js';

@ApiTags('operation')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Answers as long as the process runs; it touches no engine. */
  @Get('live')
  live(): LiveView {
    return { status: 'ok' };
  }

  /**
   * Reports whether requests can be served: engines answer, followers have caught up, no shutdown
   * has begun. The state of the engines may be a second old.
   */
  @Get('ready')
  @ApiResponse({ status: 503, type: ReadyView, description: 'Not ready; `checks` shows why.' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyView> {
    const ready = await this.readiness.reported();
    if (ready.status !== 'ready') void reply.status(503).header('retry-after', '1');
    return ready;
  }
}
