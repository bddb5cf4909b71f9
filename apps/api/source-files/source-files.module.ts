import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { LiveSourcesModule, SourcesModule } from '../sources/sources.module.js';
import { GetSourceFileHandler } from './get-source-file.js';
import { GetSourceOutlineHandler } from './get-source-outline.js';
import { GetSourceTreeHandler } from './get-source-tree.js';
import { SourceFilesController } from './source-files.controller.js';

/** Trees and files of kept versions of sources. */
@Module({
  imports: [AuthModule, LiveSourcesModule, SourcesModule],
  controllers: [SourceFilesController],
  providers: [GetSourceTreeHandler, GetSourceFileHandler, GetSourceOutlineHandler],
})
export class SourceFilesModule {}
