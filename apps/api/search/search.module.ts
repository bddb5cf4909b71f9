import { Module } from '@nestjs/common';

import { KnownLinksModule } from '../package-links/package-links.module.js';
import { KnownPoliciesModule } from '../policy/policy.module.js';
import { QuotaLedgerModule } from '../quota/quota.module.js';
import { LiveSourcesModule } from '../sources/sources.module.js';
import { Conflicts } from './answer/conflicts.js';
import { HybridSearch } from './answer/hybrid-search.js';
import { MultiHopSearch } from './answer/multi-hop-search.js';
import { NeighborExpansion } from './answer/neighbor-expansion.js';
import { QueryModels } from './answer/query-models.js';
import { PresentMoment } from './answer/search-moment.js';
import { SearchRounds } from './answer/search-rounds.js';
import { Receipts } from './receipt/receipts.js';
import { SearchController } from './search.controller.js';
import { SearchHandler } from './search.js';
import { SearchConcurrency } from './search-concurrency.js';
import { SearchMultiHopHandler } from './search-multi-hop.js';

/** Provides `/search`, and search for services that replay one. */
@Module({
  imports: [KnownLinksModule, KnownPoliciesModule, LiveSourcesModule, QuotaLedgerModule],
  controllers: [SearchController],
  providers: [
    PresentMoment,
    QueryModels,
    HybridSearch,
    MultiHopSearch,
    SearchRounds,
    NeighborExpansion,
    Conflicts,
    Receipts,
    SearchConcurrency,
    SearchHandler,
    SearchMultiHopHandler,
  ],
  exports: [PresentMoment, QueryModels, HybridSearch, MultiHopSearch, Receipts],
})
export class SearchModule {}
