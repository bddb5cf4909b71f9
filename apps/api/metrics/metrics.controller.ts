import { Controller, Get, Header } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';

import { Public } from '../auth/access.decorators.js';
import { ApiMetrics } from './api-metrics.js';

@ApiTags('operation')
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: ApiMetrics) {}

  /** Metrics in the Prometheus text format. */
  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiProduces('text/plain')
  text(): Promise<string> {
    return this.metrics.text();
  }
}
