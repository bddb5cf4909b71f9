import { Module } from '@nestjs/common';

import { InMemoryModule } from '../in-memory/in-memory.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

/** `/health` */
@Module({
  imports: [InMemoryModule, LifecycleModule, LiveSourcesModule],
  controllers: [HealthController],
  providers: [Readiness],
})
export class HealthModule {}
