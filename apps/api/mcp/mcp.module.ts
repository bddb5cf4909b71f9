import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { McpController } from './mcp.controller.js';
import { McpExchange } from './mcp-exchange.js';
import { ResourceMetadataController } from './resource-metadata.controller.js';

/** `/mcp` and its metadata for OAuth clients. */
@Module({
  imports: [AuthModule, LifecycleModule, StreamsModule],
  controllers: [McpController, ResourceMetadataController],
  providers: [McpExchange],
})
export class McpModule {}
