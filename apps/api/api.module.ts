import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';

import { EVENT_STORE } from '#event-store';
import { EMBEDDER } from '#models';
import { CLOCK, KEY_RING, LOGGER } from '#platform';
import { SEARCH_INDEX } from '#search-index';

import { ApiKeyGuard } from './auth/api-key.guard.js';
import { HandlerCheck } from './boot/handler-check.js';
import { USE_CASE_HANDLERS } from './boot/use-cases.js';
import { ErrorsFilter } from './edge/errors.filter.js';
import { StrictValidationPipe } from './edge/strict-validation.pipe.js';
import { UndeclaredInputGuard } from './edge/undeclared-input.guard.js';
import { CONFIG, READ_MODEL, type ApiEngines } from './engines/engines.js';
import { ApiKeysFollower } from './auth/known-api-keys.js';
import { Followers } from './in-memory/in-memory-projections.js';
import { JobActivityFollower } from './jobs/job-activity.js';
import { LiveSourcesFollower } from './sources/live-sources.js';
import { PoliciesFollower } from './policy/known-policies.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { JobEnds } from './jobs/job-ends.js';
import { JobStream } from './jobs/job-stream.js';
import { JobsController } from './jobs/jobs.controller.js';
import { StreamSlots } from './jobs/stream-slots.js';
import { KeysController } from './keys/keys.controller.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { ApiMetrics } from './metrics/api-metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { PolicyController } from './policy/policy.controller.js';
import { QuotaLedger } from './quota/quota-ledger.js';
import { PastMoments } from './receipts/past-moments.js';
import { ReceiptsController } from './receipts/receipts.controller.js';
import { Receipts } from './search/receipt/receipts.js';
import { StoredReceipts } from './receipts/stored-receipts.js';
import { HybridSearch } from './search/answer/hybrid-search.js';
import { QueryModels } from './search/answer/query-models.js';
import { MultiHopSearch } from './search/answer/multi-hop-search.js';
import { NeighborExpansion } from './search/answer/neighbor-expansion.js';
import { PlainSearch } from './search/answer/plain-search.js';
import { PresentMoment } from './search/answer/search-moment.js';
import { SearchRounds } from './search/answer/search-rounds.js';
import { SearchController } from './search/search.controller.js';
import { LastJobs } from './sources/last-job.js';
import { SourcesController } from './sources/sources.controller.js';
import { Projected } from './write/projected.js';
import { StreamCommands } from './write/stream-commands.js';

/** What is the same whatever engines stand behind it. */
export const API_PARTS = {
  imports: [CqrsModule.forRoot(), DiscoveryModule],
  controllers: [
    SourcesController,
    JobsController,
    SearchController,
    ReceiptsController,
    KeysController,
    PolicyController,
    HealthController,
    MetricsController,
  ],
  providers: [
    // The guards run in this order: nothing is said about a request's input before its credentials are good.
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: UndeclaredInputGuard },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    { provide: APP_FILTER, useClass: ErrorsFilter },
    ApiKeysFollower,
    PoliciesFollower,
    LiveSourcesFollower,
    JobActivityFollower,
    Followers,
    Lifecycle,
    StreamSlots,
    JobEnds,
    JobStream,
    LastJobs,
    Readiness,
    ApiMetrics,
    Projected,
    HybridSearch,
    QueryModels,
    SearchRounds,
    NeighborExpansion,
    PlainSearch,
    MultiHopSearch,
    PresentMoment,
    QuotaLedger,
    Receipts,
    StoredReceipts,
    PastMoments,
    StreamCommands,
    HandlerCheck,
    ...USE_CASE_HANDLERS,
  ],
} satisfies ModuleMetadata;

@Module({})
export class ApiModule {
  /** The API over the given engines. */
  static register(engines: ApiEngines): DynamicModule {
    return {
      module: ApiModule,
      ...API_PARTS,
      providers: [
        { provide: EVENT_STORE, useValue: engines.eventStore },
        { provide: READ_MODEL, useValue: engines.readModel },
        { provide: SEARCH_INDEX, useValue: engines.searchIndex },
        { provide: EMBEDDER, useValue: engines.embedder },
        { provide: KEY_RING, useValue: engines.keyRing },
        { provide: CLOCK, useValue: engines.clock },
        { provide: CONFIG, useValue: engines.config },
        { provide: LOGGER, useValue: engines.logger },
        ...API_PARTS.providers,
      ],
    };
  }
}
