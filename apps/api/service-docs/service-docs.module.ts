import { Module } from '@nestjs/common';

import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { KeptServiceDocs } from './kept-service-docs.js';

/** The service's own documentation as a source that chat alone looks in. */
@Module({
  imports: [LifecycleModule, LiveSourcesModule, PackagesModule],
  providers: [KeptServiceDocs],
  exports: [KeptServiceDocs],
})
export class ServiceDocsModule {}
