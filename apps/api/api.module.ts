import { type DynamicModule, Module } from '@nestjs/common';

import { AnalyticsModule } from './analytics/analytics.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuditExportModule } from './audit-export/audit-export.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { ChatModule } from './chat/chat.module.js';
import { CodeNavigationModule } from './code-navigation/code-navigation.module.js';
import { CodeSearchModule } from './code-search/code-search.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { EdgeModule } from './edge/edge.module.js';
import type { ApiDependencies } from './engines/engines.js';
import { EnginesModule } from './engines/engines.module.js';
import { FeedModule } from './feed/feed.module.js';
import { HealthModule } from './health/health.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { KeysModule } from './keys/keys.module.js';
import { LegalHoldModule } from './legal-hold/legal-hold.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MembersModule } from './members/members.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenIdConnectModule } from './openid-connect/openid-connect.module.js';
import { PackagesModule } from './packages/packages.module.js';
import { PeopleModule } from './people/people.module.js';
import { PolicyModule } from './policy/policy.module.js';
import { PolicySimulationModule } from './policy-simulation/simulation.module.js';
import { PushHooksModule } from './push-hooks/push-hooks.module.js';
import { QuotaModule } from './quota/quota.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { RootModule } from './root/root.module.js';
import { RoverModule } from './rover/rover.module.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { SearchModule } from './search/search.module.js';
import { ServiceDocsModule } from './service-docs/service-docs.module.js';
import { SourceFilesModule } from './source-files/source-files.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { UseCasesModule } from './use-cases/use-cases.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** One module a resource, in the order in which the API's description shows them. */
const RESOURCES = [
  SourcesModule,
  SourceFilesModule,
  PushHooksModule,
  JobsModule,
  CodeSearchModule,
  CodeNavigationModule,
  SearchModule,
  ChatModule,
  ConversationsModule,
  PackagesModule,
  ServiceDocsModule,
  RoverModule,
  McpModule,
  ReceiptsModule,
  KeysModule,
  PeopleModule,
  OpenIdConnectModule,
  MembersModule,
  InvitationsModule,
  PolicyModule,
  PolicySimulationModule,
  AnalyticsModule,
  AuditModule,
  AuditLogModule,
  AuditExportModule,
  FeedModule,
  WebhooksModule,
  TenantsModule,
  LegalHoldModule,
  QuotaModule,
  HealthModule,
  MetricsModule,
  RootModule,
  SchemasModule,
];

@Module({})
export class ApiModule {
  /** The API over the given engines. */
  static register(dependencies: ApiDependencies): DynamicModule {
    return {
      module: ApiModule,
      imports: [EnginesModule.over(dependencies), UseCasesModule, EdgeModule, ...RESOURCES],
    };
  }
}
