import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { ApiMetrics } from './api-metrics.js';
import { MetricsController } from './metrics.controller.js';

/** `/metrics` */
@Module({ imports: [InMemoryModule], controllers: [MetricsController], providers: [ApiMetrics] })
export class MetricsModule {}
